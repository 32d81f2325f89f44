// The control flow of a program of the lambda calculus, on all ranks.
//
// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "analysis.hpp"
#include "relations/check.hpp"
#include "relations/evaluate.hpp"
#include "relations/session.hpp"
#include "serial_analysis.hpp"
#include "source.hpp"

namespace {

struct Problem {
  std::string file;
  std::vector<int> generated;  // levels and calls, instead of a file
  int k = kcfa::kLongestContext;
  bool print = false;
};

void describe(CLI::App &app, Problem &problem) {
  auto *const input = app.add_option_group("program");
  input->add_option("program", problem.file, "A program, or a folder of its facts")->type_name("FILE");
  input->add_option("--generate", problem.generated, "So many levels of functions, so many calls in each")
      ->expected(2)
      ->check(CLI::Range(1, 10'000))
      ->type_name("LEVELS CALLS");
  input->require_option(1);
  app.add_option("--context", problem.k, "The k of k-CFA: how many calls a context tells apart")
      ->check(CLI::Range(0, kcfa::kLongestContext))
      ->type_name("INT")
      ->capture_default_str();
  app.add_flag("--print", problem.print, "Only print the program");
}

std::string text_of(const Problem &problem) {
  if (!problem.generated.empty()) return kcfa::generate(problem.generated[0], problem.generated[1]);
  if (std::filesystem::is_directory(problem.file)) return kcfa::read_facts(problem.file);
  return kcfa::read_text(problem.file);
}

std::string name_of(const Problem &problem) {
  if (problem.generated.empty()) return problem.file;
  return std::to_string(problem.generated[0]) + " levels of " + std::to_string(problem.generated[1]) + " calls";
}

// Rank 0 reads and checks the text; all get it.
kcfa::Program read_program(const relations::Session &session, const Problem &problem) {
  std::string text;
  example::on_root(session.comm, [&] {
    text = text_of(problem);
    static_cast<void>(kcfa::parse(text, name_of(problem)));
  });
  auto size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, session.comm);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, session.comm);
  if (problem.print && example::rank_in(session.comm) == 0) std::cout << text;
  return kcfa::parse(text, name_of(problem));
}

void analyse(relations::Session &session, const Problem &problem) {
  const auto program = read_program(session, problem);
  if (problem.print) return;
  relations::Report report{"kcfa", name_of(problem), {}, {}};
  report.evaluations =
      relations::evaluate_all<kcfa::Fact>(session, [&] { return kcfa::Analysis(program, problem.k, session.comm); });
  const auto &evaluation = report.evaluations.front();
  report.figures = {{"program", name_of(problem)},
                    {"ranks", example::ranks_of(session.comm)},
                    {"expressions", program.expressions.size() - 1},
                    {"context", problem.k},
                    {"facts", relations::total(evaluation.rounds).tuples},
                    {"values and calls", evaluation.answer.tuples},
                    {"rounds", relations::fruitful_rounds(evaluation)}};
  relations::check(session, report, [&] { return kcfa::analyse_serially(program, problem.k); });
  relations::deliver(session, report);
}

}  // namespace

int main(int argc, char **argv) {
  Problem problem;
  return relations::run_program(
      argc, argv,
      {"kcfa", "Finds which functions each call of a program may call, and with which values.",
       [&](CLI::App &app) { describe(app, problem); },
       [&](relations::Session &session) { analyse(session, problem); }});
}
