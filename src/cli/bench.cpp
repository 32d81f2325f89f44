// `rondo bench`: how long exchanges take, beside the MPI library's own.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/bench_report.hpp"
#include "cli/commands.hpp"
#include "cli/contest.hpp"
#include "cli/first_ranks.hpp"
#include "cli/init_cost.hpp"
#include "cli/interruption.hpp"
#include "cli/measuring_options.hpp"
#include "cli/mpi_session.hpp"
#include "cli/number.hpp"
#include "cli/output_file.hpp"
#include "cli/phase_cost.hpp"
#include "cli/plot.hpp"
#include "cli/progress.hpp"
#include "cli/usage_error.hpp"
#include "cli/varying_cost.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct BenchOptions {
  MeasuringOptions measuring{.sizes = {8, 64, 512, 4096, 32768, 65536}, .repetitions = 100};
  std::vector<std::string> words;  // a problem; none: one of these two
  std::vector<std::string> distribution_texts{"constant"};
  std::uint64_t seed = 1;
  std::vector<int> ranks;  // the first so many of all, one number after the other; none: all
  std::string algorithms = "all";
  std::string data = "fresh";
  std::string json;
  std::string plot;
  bool init = false;
  bool varying = false;
  bool phases = false;

  // What follows from the words above.
  std::string problem;                      // its text; empty where none is given
  std::vector<Distribution> distributions;  // where none is given
  Problem::Call call = Problem::Call::alltoallv;
  bool sizes_are_named = false;
  bool algorithms_are_named = false;
};

// By a plan of which more is said than its algorithm and its wire.
bool is_by_special_plan(const ContenderSpec &spec) {
  const PlanWishes &wishes = spec.wishes;
  return spec.whole || wishes.plan_buffers || wishes.progress_thread || wishes.measured || !wishes.profile.empty();
}

// What is done phase by phase are all-to-alls of bytes over messages of MPI's.
void check_phased(std::span<const ContenderSpec> specs) {
  for (const ContenderSpec &spec : specs) {
    const bool plain = spec.wire.empty() || spec.wire == "packed" || spec.wire == "datatype";
    if (!plain || is_by_special_plan(spec)) throw UsageError(fmt::format("--phases takes no {}", spec.label()));
  }
}

// Plans whose counts come with each start are held against MPI's blocking calls.
void check_varying(std::span<const ContenderSpec> specs) {
  for (const ContenderSpec &spec : specs) {
    const bool by_mpi = spec.kind == ContenderSpec::Kind::mpi_nonblocking;
    if (by_mpi || spec.each_call || is_by_special_plan(spec)) {
      throw UsageError(fmt::format("--varying takes no {}", spec.label()));
    }
  }
}

// Before the number of ranks is known.
void settle(BenchOptions &options) {
  if (options.words.empty()) {
    const bool several = options.distribution_texts.size() > 1;
    if (several && options.varying) throw UsageError("--varying takes one --dist");
    if (several && options.phases) throw UsageError("--phases takes one --dist");
    if (several && !options.plot.empty())
      throw UsageError("--plot takes one --dist: rondo choices --plot draws several");
    if (options.varying) options.call = Problem::Call::alltoallv_varying;
    for (const std::string &text : options.distribution_texts) {
      const auto distribution = parse_distribution(text);
      if (!distribution) throw UsageError(fmt::format("--dist {}: expected one of {}", text, known_distributions()));
      options.distributions.push_back(*distribution);
    }
    return;
  }
  const std::vector<std::string> problems = join_problems(options.words);
  if (problems.size() > 1)
    throw UsageError(fmt::format("one problem is measured at a time, and {} are given", problems.size()));
  options.problem = problems.front();
  options.call = call_of(options.problem).value_or(Problem::Call::alltoallv);  // what is none is found to be none later
  if (options.varying) throw UsageError("--varying takes no problem: alltoallv_varying is one");
  if (options.phases && options.call != Problem::Call::alltoall && options.call != Problem::Call::alltoallv)
    throw UsageError(fmt::format("--phases takes alltoall and alltoallv, not {}", options.problem));
  options.varying = options.call == Problem::Call::alltoallv_varying;
}

// The problem of so many ranks, and what its sizes are: those that are named; else of a problem that is given, or of a
// trace, its own; else the usual ones. Its largest block is the largest of these.
struct Measured {
  Problem problem;
  std::vector<std::int64_t> sizes;
};

Measured with_sizes(Problem problem, std::vector<std::int64_t> sizes) {
  problem.largest = *std::max_element(sizes.begin(), sizes.end());
  check_ints(problem);
  return {std::move(problem), std::move(sizes)};
}

// What so many ranks exchange, one after the other.
std::vector<Measured> measured_by(const BenchOptions &options, int ranks) {
  const auto sizes = [&](const std::vector<std::int64_t> &own) {
    return options.sizes_are_named ? options.measuring.sizes : own;
  };
  if (!options.problem.empty()) {
    const Problem problem = parse_problem(options.problem, ranks);
    return {with_sizes(problem, sizes({problem.largest}))};
  }
  std::vector<Measured> all;
  for (const Distribution &distribution : options.distributions) {
    if (const std::string obstacle = distribution.obstacle(ranks); !obstacle.empty()) {
      throw UsageError(fmt::format("--dist {}", obstacle));
    }
    const Problem problem{.ranks = ranks, .distribution = distribution, .seed = options.seed};
    const auto &trace = distribution.sizes;
    all.push_back(with_sizes(problem, sizes(trace ? std::vector{trace->largest} : options.measuring.sizes)));
  }
  return all;
}

// Of a problem that names an algorithm that one is timed, unless others are named.
std::vector<ContenderSpec> contenders_of(const BenchOptions &options, const Problem &problem) {
  const auto call = options.varying ? Problem::Call::alltoallv : options.call;
  if (problem.algorithm.empty() || options.algorithms_are_named) return parse_contenders(options.algorithms, call);
  std::vector<ContenderSpec> specs = parse_contenders("", call);
  specs.push_back(
      {.call = call, .algorithm = problem.algorithm, .parameters = problem.parameters, .wire = problem.wire});
  return specs;
}

// Measures one size after the other until MPI_Wtime() is `end` on rank 0, or it is interrupted; what time one does not
// need is left to the next.
void measure_all(const BenchOptions &options, std::span<const std::int64_t> sizes, bool speaks, double end,
                 BenchReport &report, MPI_Comm comm) {
  const int repetitions = options.measuring.repetitions;
  const std::vector<ContenderSpec> specs = contenders_of(options, report.problem);
  ProgressLine line("measuring", sizes.size() * static_cast<std::size_t>(repetitions));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (all_asked_to_stop(comm)) return;
    Problem problem = report.problem;
    problem.largest = sizes[i];
    const double left = std::max(0.0, end - MPI_Wtime());
    Effort effort{.repetitions = repetitions,
                  .seconds = left / static_cast<double>(sizes.size() - i),
                  .fresh_data = options.data == "fresh"};
    MPI_Bcast(&effort.seconds, 1, MPI_DOUBLE, 0, comm);
    const auto progress = [&](int done, std::string_view doing) {
      const auto before = i * static_cast<std::size_t>(repetitions);
      if (speaks)
        line.show(before + static_cast<std::size_t>(done), fmt::format("({} bytes, {})", problem.largest, doing));
    };
    report.sizes.push_back(measure(problem, specs, effort, progress, comm));
    line.clear();
    if (speaks) fmt::print("\n{}", table(report.sizes.back()));
    std::fflush(stdout);
  }
}

// Throws on all ranks what rank 0, which writes the files, finds out about them.
void check_files(const BenchOptions &options, bool speaks) {
  std::string fault;
  try {
    if (speaks && !options.plot.empty()) check_gnuplot();
    for (const std::string &path : {options.json, options.plot}) {
      if (speaks && !path.empty()) check_writable(path);
    }
  } catch (const Error &error) {
    fault = error.message();
  }
  if (fault = agreed_text(fault); !fault.empty()) throw Error(Fault::argument, fault);
}

bool has_samples(const BenchReport &report) {
  return std::any_of(report.sizes.begin(), report.sizes.end(),
                     [](const SizeResult &size) { return !size.measurements.front().samples.empty(); });
}

void write_json(const std::string &path, const nlohmann::ordered_json &figures) {
  if (path.empty()) return;
  write_file(path, figures.dump(2) + '\n');
  fmt::print("figures in {}\n", path);
}

void write_plot(const std::string &path, const std::vector<BenchReport> &reports) {
  if (path.empty() || reports.empty()) return;
  plot(reports.front(), path);
  fmt::print("chart in {}\n", path);
}

// What rank 0 has found out, and whether that is all.
struct Run {
  std::vector<BenchReport> reports;  // for each number of ranks
  bool speaks = false;
  bool whole = false;
};

std::vector<int> numbers_of_ranks(const BenchOptions &options, const MpiSession &session) {
  for (const int ranks : options.ranks) {
    if (ranks > session.ranks()) {
      throw UsageError(fmt::format("--ranks {}: there are {} (mpiexec -n {})", ranks, session.ranks(), ranks));
    }
  }
  return options.ranks.empty() ? std::vector{session.ranks()} : options.ranks;
}

// The sizes stand with the figures.
std::string without_size(Problem problem) {
  problem.largest = Problem{}.largest;
  std::string text = to_string(problem);
  const std::string size = fmt::format(" max={}", problem.largest);
  return text.erase(text.find(size), size.size());
}

// With the first ranks of all, while the others sleep.
void measure_with(const FirstRanks &first, const Measured &measured, const BenchOptions &options, bool speaks,
                  double end, BenchReport &report) {
  if (!first.has_this_one()) return;
  if (speaks) fmt::print("\n{}\n{}", without_size(report.problem), heading(report));
  report.first_init = set_up_communicator(report.ranks, first.comm()) * 1e6;
  if (speaks) fmt::print("{}", set_up_line(report));
  measure_all(options, measured.sizes, speaks, end, report, first.comm());
}

// The benchmark itself, from the start of MPI to its end.
Run run(const BenchOptions &options) {
  const std::vector<ContenderSpec> specs = parse_contenders(options.algorithms, options.call);
  const MpiSession session(
      std::any_of(specs.begin(), specs.end(), [](const ContenderSpec &spec) { return spec.wishes.progress_thread; }));
  const Interruption interruption;
  const double begin = MPI_Wtime();
  Run result{.reports = {}, .speaks = session.rank() == 0};
  const std::vector<int> numbers = numbers_of_ranks(options, session);
  std::vector<Measured> measured;
  for (const int ranks : numbers) {
    const std::vector<Measured> more = measured_by(options, ranks);
    measured.insert(measured.end(), more.begin(), more.end());
  }
  check_files(options, result.speaks);
  result.whole = true;
  for (std::size_t i = 0; i < measured.size() && result.whole; ++i) {
    const Problem &problem = measured[i].problem;
    BenchReport &report =
        result.reports.emplace_back(BenchReport{this_machine(), mpi_library(), problem.ranks, problem, {}});
    const double now = MPI_Wtime();  // what one run leaves of its time the next ones have
    const double left = std::max(0.0, begin + options.measuring.time_limit - now);
    const double end = now + left / static_cast<double>(measured.size() - i);
    {
      const FirstRanks first(problem.ranks);
      measure_with(first, measured[i], options, result.speaks, end, report);
    }
    result.whole = !all_asked_to_stop();
  }
  if (!result.whole && result.speaks) fmt::print("interrupted: this is what there was until then\n");
  std::erase_if(result.reports, [](const BenchReport &report) { return !has_samples(report); });
  if (result.speaks && !result.reports.empty())
    write_json(options.json, to_json(result.reports));  // a launcher gives those that it has interrupted little time
  return result;
}

// Measures something else than exchanges of fixed counts: cost_of(problem, end) for each size, until the time is over;
// print() and to_json() say what was found, `figures` what the figures are.
template <class CostOf, class Print, class ToJson>
int bench_costs(const BenchOptions &options, const char *figures, CostOf &&cost_of, Print &&print, ToJson &&to_json) {
  const MpiSession session;
  const Interruption interruption;
  const bool speaks = session.rank() == 0;
  const Measured measured = measured_by(options, session.ranks()).front();
  const BenchReport report{this_machine(), mpi_library(), session.ranks(), measured.problem, {}};
  check_files(options, speaks);
  if (speaks) fmt::print("{}microseconds of the slowest rank, {}\n", heading(report), figures);
  const MeasuringOptions &measuring = options.measuring;
  const double begin = MPI_Wtime();
  std::vector<decltype(cost_of(report.problem, begin))> costs;
  const std::vector<std::int64_t> &sizes = measured.sizes;
  for (std::size_t i = 0; i < sizes.size() && !all_asked_to_stop(); ++i) {
    const double until = measuring.time_limit * static_cast<double>(i + 1) / static_cast<double>(sizes.size());
    Problem problem = report.problem;
    problem.largest = sizes[i];
    costs.push_back(cost_of(problem, begin + until));
  }
  const bool whole = !all_asked_to_stop();
  if (speaks) fmt::print("{}{}", print(costs), whole ? "" : "interrupted: this is what there was until then\n");
  if (speaks && !costs.empty()) write_json(options.json, to_json(report, costs));
  return whole ? 0 : Interruption::exit_status;
}

int bench_inits(const BenchOptions &options) {
  return bench_costs(
      options, "medians",
      [&](const Problem &problem, double end) {
        return measure_inits(problem.largest, options.measuring.repetitions, end);
      },
      init_table, init_json);
}

int bench_varying(const BenchOptions &options) {
  return bench_costs(
      options, "medians",
      [&](const Problem &problem, double end) {
        const std::vector<ContenderSpec> specs = contenders_of(options, problem);
        check_varying(specs);
        return measure_varying(problem, specs, options.measuring.repetitions, end);
      },
      [](std::span<const VaryingCost> costs) {
        std::string text;
        for (const VaryingCost &cost : costs) text += varying_table(cost);
        return text;
      },
      varying_json);
}

int bench_phases(const BenchOptions &options) {
  std::string drawing;
  const int status = bench_costs(
      options, "means of the middle half of the calls",
      [&](const Problem &problem, double end) {
        const std::vector<ContenderSpec> specs = contenders_of(options, problem);
        check_phased(specs);
        return measure_phases(problem, specs, options.measuring.repetitions, end);
      },
      [](std::span<const PhaseCost> costs) {
        std::string text;
        for (const PhaseCost &cost : costs) text += phase_table(cost);
        return text;
      },
      [&](const BenchReport &report, std::span<const PhaseCost> costs) {
        if (!options.plot.empty()) drawing = phase_script(report, costs, options.plot);
        return phase_json(report, costs);
      });
  if (drawing.empty()) return status;
  run_gnuplot(drawing, options.plot);
  fmt::print("chart in {}\n", options.plot);
  return status;
}

int bench(const BenchOptions &options) {
  if (options.init) return bench_inits(options);
  if (options.phases) return bench_phases(options);
  if (options.varying) return bench_varying(options);
  const Run result = run(options);
  if (result.speaks)
    write_plot(options.plot, result.reports);  // by another process, which is not for MPI programs to start
  return result.whole ? 0 : Interruption::exit_status;
}

// What is timed in the place of exchanges of fixed counts, and the options that make no sense then.
void add_other_measures(CLI::App &command, BenchOptions &options) {
  CLI::Option *const init =
      command.add_flag("--init", options.init, "Time inits, of exchanges whose blocks all have the sizes given");
  for (const char *const of_exchanges :
       {"problem", "--ranks", "--dist", "--seed", "--algorithms", "--data", "--plot"}) {
    init->excludes(command.get_option(of_exchanges));
  }
  CLI::Option *const varying = command.add_flag(
      "--varying", options.varying,
      "Time exchanges of counts and data whose counts are drawn anew each time, beside MPI_Alltoall and MPI_Alltoallv");
  for (CLI::Option *const of_fixed :
       {init, command.get_option("--data"), command.get_option("--plot"), command.get_option("--ranks")}) {
    varying->excludes(of_fixed);
  }
  CLI::Option *const phases = command.add_flag(
      "--phases", options.phases,
      "Time whole calls over MPI messages phase by phase: sizes, preparation, copies, packing, messages");
  for (CLI::Option *const of_plans : {init, varying, command.get_option("--data"), command.get_option("--ranks")}) {
    phases->excludes(of_plans);
  }
}

void add_options(CLI::App &command, BenchOptions &options) {
  command
      .add_option("problem", options.words,
                  "A problem (docs/problems.md), of all ranks, instead of --dist and --seed: the operation, its "
                  "blocks, and ranks per node; --sizes takes the place of its max")
      ->type_name("PROBLEM");
  add_measuring_options(command, options.measuring);
  command.add_option("--ranks", options.ranks, "The first so many of all ranks, a list; the others sleep meanwhile")
      ->delimiter(',')
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20).description(""));
  command
      .add_option("--dist", options.distribution_texts,
                  "How block sizes are spread (docs/problems.md), a list; with --varying, which takes uniform if not "
                  "said, and with --phases one")
      ->delimiter(',')
      ->type_name("DISTRIBUTION")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Of the block sizes")
      ->type_name("N")
      ->check(whole_number<std::uint64_t>(0, UINT64_MAX))
      ->capture_default_str();
  command
      .add_option("--algorithms", options.algorithms,
                  "all, or a list such as tuna:radix=4,scattered:block_count=8,chosen (the library's own choice); each "
                  "with :wire=packed, datatype, ... for rondo_wire, :buffers=plan for buffers that the plan allocates, "
                  ":progress=thread, chosen:tune=measure for the choice by measurement, chosen:profile=FILE for "
                  "rondo_profile, :whole for plans that are made and freed in every exchange, or :types=each for "
                  "datatypes that are (types=each-indexed, types=each-block-indexed: with entries of that form); "
                  "nonblocking is the MPI library's call that does not wait; tuna:radix=2..4 is three contenders")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option("--data", options.data,
                  "fresh: what is sent is written before each exchange, as programs do (the writing itself is not "
                  "counted); same: never")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"fresh", "same"}).description(""))
      ->capture_default_str();
  command.add_option("--json", options.json, "Write all figures to this file")->type_name("FILE");
  command.add_option("--plot", options.plot, "Have gnuplot draw a chart (SVG) to this file")->type_name("FILE");
  add_other_measures(command, options);
  for (const char *const of_no_problem : {"--dist", "--seed"}) {
    command.get_option("problem")->excludes(command.get_option(of_no_problem));
  }
  command.get_option("--plot")->excludes(command.get_option("--ranks"));  // rondo choices --plot draws several
}

}  // namespace

void add_bench_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("bench", "Time exchanges beside the MPI library's own calls");
  auto options = std::make_shared<BenchOptions>();
  add_options(*command, *options);
  command->footer(
      "All contenders are timed by turns in one run; a sample is a batch of exchanges; the slowest rank counts.\n"
      "Example: mpiexec -n 2 rondo bench --sizes 8,512,32768 --algorithms linear,tuna:radix=2 --plot times.svg\n"
      "         mpiexec -n 16 rondo bench allgatherv group=12 dist=constant --sizes 8,4096 --ranks 13,16");
  command->callback([=, &action] {
    if (options->varying && command->get_option("--dist")->count() == 0) options->distribution_texts = {"uniform"};
    options->sizes_are_named = command->get_option("--sizes")->count() > 0;
    options->algorithms_are_named = command->get_option("--algorithms")->count() > 0;
    settle(*options);
    action = [options] { return bench(*options); };
  });
}

}  // namespace rondo::internal::cli
