// `rondo bench`: how long exchanges take, beside the MPI library's own.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "cli/bench_report.hpp"
#include "cli/commands.hpp"
#include "cli/contest.hpp"
#include "cli/measuring_options.hpp"
#include "cli/mpi_session.hpp"
#include "cli/plot.hpp"
#include "cli/progress.hpp"
#include "exchange/error.hpp"

namespace rondo::cli {

namespace {

struct BenchOptions {
  MeasuringOptions measuring{.sizes = {8, 64, 512, 4096, 32768, 65536}, .repetitions = 100};
  std::string distribution = "constant";
  std::uint64_t seed = 1;
  std::string algorithms = "all";
  std::string data = "fresh";
  std::string json;
  std::string plot;
};

Problem problem_of(const BenchOptions &options, int ranks) {
  const auto distribution = parse_distribution(options.distribution);
  if (!distribution) {
    throw Error(Fault::argument,
                fmt::format("--dist {}: expected one of {}", options.distribution, known_distributions()));
  }
  Problem problem{.ranks = ranks, .distribution = *distribution, .seed = options.seed};
  problem.largest = *std::max_element(options.measuring.sizes.begin(), options.measuring.sizes.end());
  check_ints(problem);
  return problem;
}

// Measures one size after the other; what time one does not need is left to the next.
void measure_all(const BenchOptions &options, std::span<const ContenderSpec> specs, bool speaks, BenchReport &report) {
  ProgressLine line("measuring",
                    options.measuring.sizes.size() * static_cast<std::size_t>(options.measuring.repetitions));
  const double begin = MPI_Wtime();
  for (std::size_t i = 0; i < options.measuring.sizes.size(); ++i) {
    Problem problem = report.problem;
    problem.largest = options.measuring.sizes[i];
    const double left = std::max(0.0, options.measuring.time_limit - (MPI_Wtime() - begin));
    Effort effort{.repetitions = options.measuring.repetitions,
                  .seconds = left / static_cast<double>(options.measuring.sizes.size() - i),
                  .fresh_data = options.data == "fresh"};
    MPI_Bcast(&effort.seconds, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    report.sizes.push_back(measure(problem, specs, effort, [&](int done) {
      const auto all_done =
          i * static_cast<std::size_t>(options.measuring.repetitions) + static_cast<std::size_t>(done);
      if (speaks) line.show(all_done, fmt::format("({} bytes)", problem.largest));
    }));
    line.clear();
    if (speaks) fmt::print("\n{}", table(report.sizes.back()));
    std::fflush(stdout);
  }
}

// The benchmark itself, from the start of MPI to its end; only rank 0's report is whole.
BenchReport run(const BenchOptions &options, bool &speaks) {
  const std::vector<ContenderSpec> specs = parse_contenders(options.algorithms);
  const MpiSession session(
      std::any_of(specs.begin(), specs.end(), [](const ContenderSpec &spec) { return spec.progress_thread; }));
  speaks = session.rank() == 0;
  BenchReport report{this_machine(), mpi_library(), session.ranks(), problem_of(options, session.ranks()), {}};
  if (speaks) fmt::print("{}", heading(report));
  measure_all(options, specs, speaks, report);
  return report;
}

void write_json(const BenchReport &report, const std::string &path) {
  std::ofstream file(path);
  file << to_json(report).dump(2) << '\n';
  file.close();
  if (!file) throw Error(Fault::argument, fmt::format("cannot write {}", path));
  fmt::print("figures in {}\n", path);
}

int bench(const BenchOptions &options) {
  if (!options.plot.empty()) check_gnuplot();
  bool speaks = false;
  const BenchReport report = run(options, speaks);
  if (!speaks) return 0;
  if (!options.json.empty()) write_json(report, options.json);
  if (options.plot.empty()) return 0;
  plot(report, options.plot);
  fmt::print("chart in {}\n", options.plot);
  return 0;
}

void add_options(CLI::App &command, BenchOptions &options) {
  add_measuring_options(command, options.measuring);
  command.add_option("--dist", options.distribution, "How block sizes are spread (docs/problems.md)")
      ->type_name("DISTRIBUTION")
      ->capture_default_str();
  command.add_option("--seed", options.seed, "Of the block sizes")->type_name("N")->capture_default_str();
  command
      .add_option("--algorithms", options.algorithms,
                  "all, or a list such as tuna:radix=4,scattered:block_count=8,chosen (the library's own choice); each "
                  "with :wire=packed, datatype, ... for rondo_wire, :buffers=plan for buffers that the plan allocates, "
                  ":progress=thread, or :types=each for datatypes that are made and freed in every exchange")
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
}

}  // namespace

void add_bench_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("bench", "Time exchanges beside MPI_Alltoallv and MPI_Alltoallv_init");
  auto options = std::make_shared<BenchOptions>();
  add_options(*command, *options);
  command->footer(
      "All contenders are timed by turns in one run; a sample is a batch of exchanges; the slowest rank counts.\n"
      "Example: mpiexec -n 2 rondo bench --sizes 8,512,32768 --algorithms linear,tuna:radix=2 --plot times.svg");
  command->callback([=, &action] { action = [options] { return bench(*options); }; });
}

}  // namespace rondo::cli
