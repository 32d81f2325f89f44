// `rondo overlap`: how much of an exchange is done while the program computes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/bench_report.hpp"
#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/measuring_options.hpp"
#include "cli/mpi_session.hpp"
#include "cli/overlap_table.hpp"
#include "cli/progress.hpp"

namespace rondo::internal::cli {

namespace {

struct OverlapOptions {
  MeasuringOptions measuring{.sizes = {8, 4096, 262144, 1048576}, .repetitions = 50};
  std::string algorithms = "linear,linear:progress=thread,tuna,tuna:progress=thread";
  std::string work = "computes";
  Between between;
};

Problem problem_of(std::int64_t bytes, int ranks) {
  Problem problem{.ranks = ranks, .distribution = *parse_distribution("constant"), .largest = bytes};
  check_ints(problem);
  return problem;
}

// False when it was interrupted. What time one size does not need is left to the next.
bool measure_all(const OverlapOptions &options, std::span<const ContenderSpec> specs, const MpiSession &session,
                 double begin) {
  const MeasuringOptions &measuring = options.measuring;
  const bool speaks = session.rank() == 0;
  ProgressLine line("measuring", measuring.sizes.size() * static_cast<std::size_t>(measuring.repetitions));
  for (std::size_t i = 0; i < measuring.sizes.size(); ++i) {
    if (all_asked_to_stop()) return false;
    const Problem problem = problem_of(measuring.sizes[i], session.ranks());
    const double left = std::max(0.0, measuring.time_limit - (MPI_Wtime() - begin));
    const Effort effort{.repetitions = measuring.repetitions,
                        .seconds = left / static_cast<double>(measuring.sizes.size() - i),
                        .sample_seconds = 1e-3};
    const std::vector<Overlap> results =
        measure_overlap(problem, specs, options.between, effort, [&](int done, std::string_view doing) {
          const auto before = i * static_cast<std::size_t>(measuring.repetitions);
          if (!speaks) return;
          line.show(before + static_cast<std::size_t>(done), fmt::format("({} bytes, {})", problem.largest, doing));
        });
    line.clear();
    if (speaks) fmt::print("\n{}", overlap_table(problem.largest, options.between, results));
    std::fflush(stdout);
  }
  return !all_asked_to_stop();
}

int overlap(OverlapOptions options) {
  options.between.work = options.work == "sleeps" ? Work::Kind::sleeps : Work::Kind::computes;
  std::vector<ContenderSpec> specs = parse_contenders(options.algorithms);
  std::erase_if(specs, [](const ContenderSpec &spec) { return spec.kind == ContenderSpec::Kind::mpi_blocking; });
  const bool threads =
      std::any_of(specs.begin(), specs.end(), [](const ContenderSpec &spec) { return spec.wishes.progress_thread; });
  const MpiSession session(threads);
  const Interruption interruption;
  const double begin = MPI_Wtime();
  for (const std::int64_t bytes : options.measuring.sizes) problem_of(bytes, session.ranks());
  if (session.rank() == 0) {
    fmt::print("{}", heading({this_machine(), mpi_library(), session.ranks(), {}, {}}));
    if (threads) fmt::print("MPI_THREAD_MULTIPLE, as there are contenders with a progress thread\n");
  }
  if (measure_all(options, specs, session, begin)) return 0;
  if (session.rank() == 0) fmt::print("interrupted: this is what there was until then\n");
  return Interruption::exit_status;
}

void add_options(CLI::App &command, OverlapOptions &options) {
  add_measuring_options(command, options.measuring);
  command.add_option("--algorithms", options.algorithms, "As of `rondo bench`")
      ->type_name("LIST")
      ->capture_default_str();
  command
      .add_option("--work", options.work,
                  "computes: as much as fits into the time on a core of its own; sleeps: so long, as when the program "
                  "waits for a file or an accelerator")
      ->type_name("WHICH")
      ->check(CLI::IsMember({"computes", "sleeps"}).description(""))
      ->capture_default_str();
  command.add_option("--times", options.between.times, "How many times as long as the exchange the work is")
      ->type_name("FACTOR")
      ->check(CLI::Range(0.01, 1e6).description(""))
      ->capture_default_str();
  command.add_option("--tests", options.between.tests, "Calls to test during the work, in the runs that have them")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""))
      ->capture_default_str();
}

}  // namespace

void add_overlap_command(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("overlap", "Measure how much of an exchange is done while the program computes");
  auto options = std::make_shared<OverlapOptions>();
  add_options(*command, *options);
  command->footer(
      "All contenders are timed by turns in one run; the slowest rank counts; what is sent is not written anew.\n"
      "Example: mpiexec -n 2 rondo overlap --sizes 4096,1048576 --algorithms tuna,tuna:progress=thread --times 2");
  command->callback([=, &action] { action = [options] { return overlap(*options); }; });
}

}  // namespace rondo::internal::cli
