// `rondo overlap`: how much of an exchange is done while the program computes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/bench_report.hpp"
#include "cli/commands.hpp"
#include "cli/measuring_options.hpp"
#include "cli/mpi_session.hpp"
#include "cli/overlap_table.hpp"
#include "cli/progress.hpp"

namespace rondo::cli {

namespace {

struct OverlapOptions {
  MeasuringOptions measuring{.sizes = {8, 4096, 262144, 1048576}, .repetitions = 50};
  std::string algorithms = "linear,linear:progress=thread,tuna,tuna:progress=thread";
  std::string work = "computes";
  Between between;
};

void measure_all(const OverlapOptions &options, std::span<const ContenderSpec> specs, const MpiSession &session) {
  ProgressLine line("measuring",
                    options.measuring.sizes.size() * static_cast<std::size_t>(options.measuring.repetitions));
  for (std::size_t i = 0; i < options.measuring.sizes.size(); ++i) {
    Problem problem{.ranks = session.ranks(), .distribution = *parse_distribution("constant")};
    problem.largest = options.measuring.sizes[i];
    check_ints(problem);
    const Effort effort{.repetitions = options.measuring.repetitions,
                        .seconds = options.measuring.time_limit / static_cast<double>(options.measuring.sizes.size()),
                        .sample_seconds = 1e-3};
    const std::vector<Overlap> results = measure_overlap(problem, specs, options.between, effort, [&](int done) {
      const auto all_done =
          i * static_cast<std::size_t>(options.measuring.repetitions) + static_cast<std::size_t>(done);
      if (session.rank() == 0) line.show(all_done, fmt::format("({} bytes)", problem.largest));
    });
    line.clear();
    if (session.rank() == 0) fmt::print("\n{}", overlap_table(problem.largest, options.between, results));
    std::fflush(stdout);
  }
}

int overlap(OverlapOptions options) {
  options.between.work = options.work == "sleeps" ? Work::Kind::sleeps : Work::Kind::computes;
  std::vector<ContenderSpec> specs = parse_contenders(options.algorithms);
  std::erase_if(specs, [](const ContenderSpec &spec) { return spec.kind == ContenderSpec::Kind::mpi_blocking; });
  const bool threads =
      std::any_of(specs.begin(), specs.end(), [](const ContenderSpec &spec) { return spec.progress_thread; });
  const MpiSession session(threads);
  if (session.rank() == 0) {
    fmt::print("{}", heading({this_machine(), mpi_library(), session.ranks(), {}, {}}));
    if (threads) fmt::print("MPI_THREAD_MULTIPLE, as there are contenders with a progress thread\n");
  }
  measure_all(options, specs, session);
  return 0;
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

}  // namespace rondo::cli
