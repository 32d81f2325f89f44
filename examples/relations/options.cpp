// SPDX-License-Identifier: BSD-3-Clause
#include "relations/options.hpp"

#include <CLI/CLI.hpp>
#include <map>

namespace relations {
namespace {

using Kinds = std::vector<ExchangeKind>;

const std::map<std::string, Kinds> kKinds = {
    {"mpi", {ExchangeKind::mpi}}, {"rondo", {ExchangeKind::rondo}}, {"both", {ExchangeKind::mpi, ExchangeKind::rondo}}};

const std::map<std::string, example::ProgressMode> kProgressModes = {{"auto", example::ProgressMode::automatic},
                                                                     {"always", example::ProgressMode::always},
                                                                     {"never", example::ProgressMode::never}};

template <class Value>
CLI::Option *add_choice(CLI::App &app, const std::string &name, const std::map<std::string, Value> &choices,
                        Value &value, const std::string &standard, const std::string &meaning) {
  value = choices.at(standard);
  return app
      .add_option_function<std::string>(
          name, [&choices, &value](const std::string &text) { value = choices.at(text); }, meaning)
      ->check(CLI::IsMember(choices).description(""))
      ->default_str(standard);
}

}  // namespace

void describe(CLI::App &app, Options &options) {
  add_choice(app, "--exchange", kKinds, options.kinds, "both",
             "mpi (MPI_Alltoall of the counts, MPI_Alltoallv of the tuples), rondo, or both, one after the other")
      ->type_name("WHICH");
  app.add_option("--repetitions", options.repetitions, "Evaluate so often with each; the median counts")
      ->check(CLI::Range(1, 1000))
      ->type_name("INT")
      ->capture_default_str();
  app.add_option("--algorithm", options.algorithm, "Rondo's algorithm (hint rondo_algorithm) instead of its own choice")
      ->type_name("NAME");
  app.add_flag("--check", options.check, "Compare the answer with a serial program's, on rank 0");
  app.add_option("--svg", options.svg, "Write a chart of the rounds to this file (needs gnuplot)")->type_name("FILE");
  app.add_option("--json", options.json, "Write all figures to this file")->type_name("FILE");
  add_choice(app, "--progress", kProgressModes, options.progress, "auto",
             "Show progress: auto (when the output is a terminal), always or never")
      ->type_name("WHEN");
}

}  // namespace relations
