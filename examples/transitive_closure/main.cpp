// The transitive closure of a graph from a file, on all ranks.
//
// SPDX-License-Identifier: BSD-3-Clause
#include "closure.hpp"
#include "relations/check.hpp"
#include "relations/evaluate.hpp"
#include "relations/session.hpp"
#include "serial_closure.hpp"

namespace {

void close_graph(relations::Session &session, const std::string &file) {
  const auto graph = relations::read_graph(session, file);
  relations::Report report{"transitive_closure", file, {}, {}};
  report.evaluations =
      relations::evaluate_all<relations::Pair>(session, [&] { return closure::Paths(graph, session.comm); });
  const auto &evaluation = report.evaluations.front();
  report.figures = {{"graph", file},
                    {"ranks", example::ranks_of(session.comm)},
                    {"vertices", graph.vertices()},
                    {"edges", graph.edges().size()},
                    {"pairs", evaluation.answer.tuples},
                    {"longest shortest path", relations::fruitful_rounds(evaluation)}};
  relations::check(session, report, [&] { return closure::search_from_all(graph); });
  relations::deliver(session, report);
}

}  // namespace

int main(int argc, char **argv) {
  std::string file;
  return relations::run_program(
      argc, argv,
      {"transitive_closure", "Finds all pairs of vertices between which there is a path of at least one edge.",
       [&](CLI::App &app) {
         app.add_option("graph", file, "Matrix Market file, or text of one edge a line")->required()->type_name("FILE");
       },
       [&](relations::Session &session) { close_graph(session, file); }});
}
