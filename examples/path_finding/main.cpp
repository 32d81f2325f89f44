// The lengths of the shortest paths from many sources in a graph from a file, on all ranks.
//
// SPDX-License-Identifier: BSD-3-Clause
#include <CLI/CLI.hpp>

#include "dijkstra.hpp"
#include "problem.hpp"
#include "relations/check.hpp"
#include "relations/evaluate.hpp"
#include "relations/session.hpp"
#include "shortest.hpp"

namespace {

struct Problem {
  std::string file;
  int sources = 64;
  int longest_edge = 0;  // 0: the file's lengths
};

void describe(CLI::App &app, Problem &problem) {
  app.add_option("graph", problem.file, "Matrix Market file, or text of one edge a line")
      ->required()
      ->type_name("FILE");
  app.add_option("--sources", problem.sources, "From so many vertices, spread evenly over the graph's numbers")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("INT")
      ->capture_default_str();
  app.add_option("--draw-lengths", problem.longest_edge, "Lengths from 1 to this, drawn, instead of the file's")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("INT");
}

relations::Graph read_graph(const relations::Session &session, const Problem &problem) {
  auto graph = relations::read_graph(session, problem.file);
  return problem.longest_edge > 0 ? paths::with_drawn_lengths(graph, problem.longest_edge) : graph;
}

void find_paths(relations::Session &session, const Problem &problem) {
  const auto graph = read_graph(session, problem);
  const auto sources = paths::spread_sources(graph, problem.sources);
  relations::Report report{"path_finding", problem.file, {}, {}};
  report.evaluations =
      relations::evaluate_all<paths::Path>(session, [&] { return paths::ShortestPaths(graph, sources, session.comm); });
  const auto &evaluation = report.evaluations.front();
  report.figures = {{"graph", problem.file},
                    {"ranks", example::ranks_of(session.comm)},
                    {"vertices", graph.vertices()},
                    {"edges", graph.edges().size()},
                    {"sources", sources.size()},
                    {"shortest paths", evaluation.answer.tuples},
                    {"rounds", relations::fruitful_rounds(evaluation)}};
  relations::check(session, report, [&] { return paths::search_from(graph, sources); });
  relations::deliver(session, report);
}

}  // namespace

int main(int argc, char **argv) {
  Problem problem;
  return relations::run_program(
      argc, argv,
      {"path_finding", "Finds the lengths of the shortest paths from many vertices of a graph to all others.",
       [&](CLI::App &app) { describe(app, problem); },
       [&](relations::Session &session) { find_paths(session, problem); }});
}
