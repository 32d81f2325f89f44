// All that one run of a program finds out, and its written forms.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_REPORT_HPP
#define RELATIONS_REPORT_HPP

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "relations/answer.hpp"
#include "relations/exchange.hpp"
#include "relations/rounds.hpp"

namespace relations {

// One way from the input, which all ranks have, to the fixed point.
struct Evaluation {
  ExchangeKind kind;
  double seconds;  // on the slowest rank
  Answer answer;   // of all ranks
  std::vector<Round> rounds;
};

// The rounds that brought something new: all but the last.
[[nodiscard]] inline int fruitful_rounds(const Evaluation &evaluation) {
  return static_cast<int>(evaluation.rounds.size()) - 1;
}

struct Report {
  std::string program;
  std::string input;
  nlohmann::ordered_json figures;       // of the problem and its answer, by name
  std::vector<Evaluation> evaluations;  // mpi and rondo in turn; at least one
};

// Of each kind that was evaluated the evaluation of median time.
[[nodiscard]] std::vector<Evaluation> medians(const Report &report);

// For people: the figures, a table of the rounds, and what the exchanges took of the whole.
void print(std::ostream &out, const Report &report);

// For programs. Throws example::FileError.
void write_json(const std::string &path, const Report &report);

// The commands that make gnuplot draw tuples and time of each round as SVG into this file.
[[nodiscard]] std::string gnuplot_script(const Report &report, const std::string &path);

}  // namespace relations

#endif
