// `rondo bench`: how long exchanges take, beside the MPI library's own.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/bench_costs.hpp"
#include "cli/bench_options.hpp"
#include "cli/bench_output.hpp"
#include "cli/bench_report.hpp"
#include "cli/commands.hpp"
#include "cli/contest.hpp"
#include "cli/first_ranks.hpp"
#include "cli/interruption.hpp"
#include "cli/mpi_session.hpp"
#include "cli/plot.hpp"
#include "cli/progress.hpp"
#include "cli/usage_error.hpp"

namespace rondo::internal::cli {

namespace {

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

bool has_samples(const BenchReport &report) {
  return std::any_of(report.sizes.begin(), report.sizes.end(),
                     [](const SizeResult &size) { return !size.measurements.front().samples.empty(); });
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

int bench(const BenchOptions &options) {
  if (options.init) return bench_inits(options);
  if (options.phases) return bench_phases(options);
  if (options.varying) return bench_varying(options);
  const Run result = run(options);
  if (result.speaks)
    write_plot(options.plot, result.reports);  // by another process, which is not for MPI programs to start
  return result.whole ? 0 : Interruption::exit_status;
}

}  // namespace

void add_bench_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("bench", "Time exchanges beside the MPI library's own calls");
  auto options = std::make_shared<BenchOptions>();
  add_bench_options(*command, *options);
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
