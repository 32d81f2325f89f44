// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <map>

#include "shared/command_line.hpp"

namespace cg {
namespace {

const std::map<std::string, example::ProgressMode> kProgressModes = {{"auto", example::ProgressMode::automatic},
                                                                     {"always", example::ProgressMode::always},
                                                                     {"never", example::ProgressMode::never}};

std::string positive(const std::string &text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && value > 0 ? "" : "expected a positive number, found " + text;
}

void describe_solve(CLI::App &app, Options &options) {
  app.add_option("matrix", options.matrix, "Matrix Market file: coordinate; real, integer or pattern")
      ->required()
      ->type_name("FILE");
  app.add_option("--tolerance", options.tolerance, "Stop when |r| / |b| is at most this")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--max-iterations", options.most_iterations, "Give up after this many iterations")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("INT")
      ->capture_default_str();
}

void describe_measurement(CLI::App &app, Options &options, std::string &progress) {
  app.add_option("--repetitions", options.repetitions, "Exchanges to time; fewer if they take over 2 s for each way")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("INT")
      ->capture_default_str();
  app.add_option("--algorithm", options.algorithm, "Rondo's algorithm (hint rondo_algorithm) instead of its own choice")
      ->type_name("NAME");
  app.add_option("--svg", options.svg, "Write a chart of the times to this file (needs gnuplot)")->type_name("FILE");
  app.add_option("--json", options.json, "Write all figures to this file")->type_name("FILE");
  app.add_option("--progress", progress, "Show progress: auto (when the output is a terminal), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->type_name("WHEN")
      ->capture_default_str();
}

}  // namespace

std::optional<Options> parse_options(int argc, char **argv, bool speaking_rank, int &status) {
  Options options;
  CLI::App app("Solves A x = b by conjugate gradients on all ranks, with b = A * ones, and times its halo exchange.",
               "conjugate_gradient");
  std::string progress = "auto";
  describe_solve(app, options);
  describe_measurement(app, options, progress);
  if (const auto ended = example::parse(app, argc, argv, speaking_rank)) {
    status = *ended;
    return std::nullopt;
  }
  options.progress = kProgressModes.at(progress);
  return options;
}

}  // namespace cg
