// `rondo bench`: how long exchanges take, beside the MPI library's own.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/bench_report.hpp"
#include "cli/commands.hpp"
#include "cli/contest.hpp"
#include "cli/init_cost.hpp"
#include "cli/interruption.hpp"
#include "cli/measuring_options.hpp"
#include "cli/mpi_session.hpp"
#include "cli/number.hpp"
#include "cli/output_file.hpp"
#include "cli/plot.hpp"
#include "cli/progress.hpp"
#include "cli/usage_error.hpp"
#include "cli/varying_cost.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct BenchOptions {
  MeasuringOptions measuring{.sizes = {8, 64, 512, 4096, 32768, 65536}, .repetitions = 100};
  std::string distribution = "constant";
  std::uint64_t seed = 1;
  std::string algorithms = "all";
  std::string data = "fresh";
  std::string json;
  std::string plot;
  bool init = false;
  bool varying = false;
};

// A trace is measured as it is, unless sizes are named, to each of which its largest block is then brought.
void take_size_of_trace(BenchOptions &options) {
  const auto distribution = parse_distribution(options.distribution);
  if (distribution && distribution->sizes) options.measuring.sizes = {distribution->sizes->largest};
}

Problem problem_of(const BenchOptions &options, int ranks) {
  const auto distribution = parse_distribution(options.distribution);
  if (!distribution) {
    throw UsageError(fmt::format("--dist {}: expected one of {}", options.distribution, known_distributions()));
  }
  if (const std::string obstacle = distribution->obstacle(ranks); !obstacle.empty()) {
    throw UsageError(fmt::format("--dist {}", obstacle));
  }
  Problem problem{.ranks = ranks, .distribution = *distribution, .seed = options.seed};
  problem.largest = *std::max_element(options.measuring.sizes.begin(), options.measuring.sizes.end());
  check_ints(problem);
  return problem;
}

// Measures one size after the other; what time one does not need is left to the next. False when it was interrupted.
bool measure_all(const BenchOptions &options, std::span<const ContenderSpec> specs, bool speaks, double begin,
                 BenchReport &report) {
  const MeasuringOptions &measuring = options.measuring;
  ProgressLine line("measuring", measuring.sizes.size() * static_cast<std::size_t>(measuring.repetitions));
  for (std::size_t i = 0; i < measuring.sizes.size(); ++i) {
    if (all_asked_to_stop()) return false;
    Problem problem = report.problem;
    problem.largest = measuring.sizes[i];
    const double left = std::max(0.0, measuring.time_limit - (MPI_Wtime() - begin));
    Effort effort{.repetitions = measuring.repetitions,
                  .seconds = left / static_cast<double>(measuring.sizes.size() - i),
                  .fresh_data = options.data == "fresh"};
    MPI_Bcast(&effort.seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    report.sizes.push_back(measure(problem, specs, effort, [&](int done, std::string_view doing) {
      const auto before = i * static_cast<std::size_t>(measuring.repetitions);
      if (speaks)
        line.show(before + static_cast<std::size_t>(done), fmt::format("({} bytes, {})", problem.largest, doing));
    }));
    line.clear();
    if (speaks) fmt::print("\n{}", table(report.sizes.back()));
    std::fflush(stdout);
  }
  return !all_asked_to_stop();
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

void write_plot(const std::string &path, const BenchReport &report) {
  if (path.empty() || !has_samples(report)) return;
  plot(report, path);
  fmt::print("chart in {}\n", path);
}

// What rank 0 has found out, and whether that is all.
struct Run {
  BenchReport report;
  bool speaks = false;
  bool whole = false;
};

// The benchmark itself, from the start of MPI to its end.
Run run(const BenchOptions &options) {
  const std::vector<ContenderSpec> specs = parse_contenders(options.algorithms);
  const MpiSession session(
      std::any_of(specs.begin(), specs.end(), [](const ContenderSpec &spec) { return spec.wishes.progress_thread; }));
  const Interruption interruption;
  const double begin = MPI_Wtime();
  const bool speaks = session.rank() == 0;
  Run result{{this_machine(), mpi_library(), session.ranks(), problem_of(options, session.ranks()), {}}, speaks};
  check_files(options, speaks);
  if (speaks) fmt::print("{}", heading(result.report));
  result.report.first_init = set_up_communicator(session.ranks()) * 1e6;
  if (speaks) fmt::print("{}", set_up_line(result.report));
  result.whole = measure_all(options, specs, speaks, begin, result.report);
  if (!result.whole && speaks) fmt::print("interrupted: this is what there was until then\n");
  if (speaks && has_samples(result.report))
    write_json(options.json, to_json(result.report));  // a launcher gives those that it has interrupted little time
  return result;
}

// Measures something else than exchanges of fixed counts: cost_of(problem, end) for each size, until the time is over;
// print() and to_json() say what was found.
template <class CostOf, class Print, class ToJson>
int bench_costs(const BenchOptions &options, CostOf &&cost_of, Print &&print, ToJson &&to_json) {
  const MpiSession session;
  const Interruption interruption;
  const bool speaks = session.rank() == 0;
  const BenchReport report{this_machine(), mpi_library(), session.ranks(), problem_of(options, session.ranks()), {}};
  check_files(options, speaks);
  if (speaks) fmt::print("{}microseconds of the slowest rank, medians\n", heading(report));
  const MeasuringOptions &measuring = options.measuring;
  const double begin = MPI_Wtime();
  std::vector<decltype(cost_of(report.problem, begin))> costs;
  for (std::size_t i = 0; i < measuring.sizes.size() && !all_asked_to_stop(); ++i) {
    const double until =
        measuring.time_limit * static_cast<double>(i + 1) / static_cast<double>(measuring.sizes.size());
    Problem problem = report.problem;
    problem.largest = measuring.sizes[i];
    costs.push_back(cost_of(problem, begin + until));
  }
  const bool whole = !all_asked_to_stop();
  if (speaks) fmt::print("{}{}", print(costs), whole ? "" : "interrupted: this is what there was until then\n");
  if (speaks && !costs.empty()) write_json(options.json, to_json(report, costs));
  return whole ? 0 : Interruption::exit_status;
}

int bench_inits(const BenchOptions &options) {
  return bench_costs(
      options,
      [&](const Problem &problem, double end) {
        return measure_inits(problem.largest, options.measuring.repetitions, end);
      },
      init_table, init_json);
}

int bench_varying(const BenchOptions &options) {
  const std::vector<ContenderSpec> specs = parse_contenders(options.algorithms);
  return bench_costs(
      options,
      [&](const Problem &problem, double end) {
        return measure_varying(problem, specs, options.measuring.repetitions, end);
      },
      [](std::span<const VaryingCost> costs) {
        std::string text;
        for (const VaryingCost &cost : costs) text += varying_table(cost);
        return text;
      },
      varying_json);
}

int bench(const BenchOptions &options) {
  if (options.init) return bench_inits(options);
  if (options.varying) return bench_varying(options);
  const Run result = run(options);
  if (result.speaks)
    write_plot(options.plot, result.report);  // by another process, which is not for MPI programs to start
  return result.whole ? 0 : Interruption::exit_status;
}

void add_options(CLI::App &command, BenchOptions &options) {
  add_measuring_options(command, options.measuring);
  command
      .add_option("--dist", options.distribution,
                  "How block sizes are spread (docs/problems.md); with --varying uniform, if not said")
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
                  "rondo_profile, or "
                  ":types=each for datatypes "
                  "that are made and freed in every exchange")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option("--data", options.data,
                  "fresh: what is sent is written before each exchange, as programs do (the writing itself is not "
                  "counted); same: never")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"fresh", "same"}).description(""))
      ->capture_default_str();
  CLI::Option *const init =
      command.add_flag("--init", options.init, "Time inits, of exchanges whose blocks all have the sizes given");
  command.add_option("--json", options.json, "Write all figures to this file")->type_name("FILE");
  command.add_option("--plot", options.plot, "Have gnuplot draw a chart (SVG) to this file")->type_name("FILE");
  for (const char *const of_exchanges : {"--dist", "--seed", "--algorithms", "--data", "--plot"}) {
    init->excludes(command.get_option(of_exchanges));
  }
  CLI::Option *const varying = command.add_flag(
      "--varying", options.varying,
      "Time exchanges of counts and data whose counts are drawn anew each time, beside MPI_Alltoall and MPI_Alltoallv");
  for (CLI::Option *const of_fixed : {init, command.get_option("--data"), command.get_option("--plot")}) {
    varying->excludes(of_fixed);
  }
}

}  // namespace

void add_bench_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("bench", "Time exchanges beside MPI_Alltoallv and MPI_Alltoallv_init");
  auto options = std::make_shared<BenchOptions>();
  add_options(*command, *options);
  command->footer(
      "All contenders are timed by turns in one run; a sample is a batch of exchanges; the slowest rank counts.\n"
      "Example: mpiexec -n 2 rondo bench --sizes 8,512,32768 --algorithms linear,tuna:radix=2 --plot times.svg");
  command->callback([=, &action] {
    if (options->varying && command->get_option("--dist")->count() == 0) options->distribution = "uniform";
    if (command->get_option("--sizes")->count() == 0) take_size_of_trace(*options);
    action = [options] { return bench(*options); };
  });
}

}  // namespace rondo::internal::cli
