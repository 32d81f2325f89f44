// `rondo overlap`: how much of an exchange is done while the program computes.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/bench_report.hpp"
#include "cli/commands.hpp"
#include "cli/mpi_session.hpp"
#include "cli/overlap_table.hpp"
#include "cli/progress.hpp"

namespace rondo::cli {

namespace {

struct OverlapOptions {
  std::vector<std::int64_t> sizes{8, 4096, 262144, 1048576};
  std::string algorithms = "linear,linear:progress=thread,tuna,tuna:progress=thread";
  std::string work = "computes";
  Between between;
  int repetitions = 50;
  double time_limit = 60;
};

void measure_all(const OverlapOptions &options, std::span<const ContenderSpec> specs, const MpiSession &session) {
  ProgressLine line("measuring", options.sizes.size() * static_cast<std::size_t>(options.repetitions));
  for (std::size_t i = 0; i < options.sizes.size(); ++i) {
    Problem problem{.ranks = session.ranks(), .distribution = *parse_distribution("constant")};
    problem.largest = options.sizes[i];
    check_ints(problem);
    const Effort effort{.repetitions = options.repetitions,
                        .seconds = options.time_limit / static_cast<double>(options.sizes.size()),
                        .sample_seconds = 1e-3};
    const std::vector<Overlap> results = measure_overlap(problem, specs, options.between, effort, [&](int done) {
      const auto all_done = i * static_cast<std::size_t>(options.repetitions) + static_cast<std::size_t>(done);
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
  command.add_option("--sizes", options.sizes, "Bytes of each block, a list")
      ->delimiter(',')
      ->type_name("BYTES")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40).description(""))
      ->capture_default_str();
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
  command.add_option("--repetitions", options.repetitions, "Samples of each contender and size")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""))
      ->capture_default_str();
  command.add_option("--time-limit", options.time_limit, "Seconds in all, after which no repetition is begun")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.01, 1e9).description(""))
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
