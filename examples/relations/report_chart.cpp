// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <sstream>

#include "relations/report.hpp"
#include "shared/gnuplot.hpp"
#include "shared/readable.hpp"

namespace relations {
namespace {

using example::number;
using example::quoted;

const char *colour(ExchangeKind kind) {
  return kind == ExchangeKind::mpi ? "#3f6fa8" : "#d9622b";
}

// Rows of: round, new tuples, milliseconds in the exchange. What is nothing has no place on a logarithmic axis.
void write_rounds(std::ostream &script, const Evaluation &evaluation) {
  script << "$" << name_of(evaluation.kind) << " << END\n";
  int place = 0;
  for (const Round &round : evaluation.rounds)
    script << ++place << " " << (round.tuples > 0 ? std::to_string(round.tuples) : "NaN") << " "
           << number(round.exchange_seconds * 1e3) << "\n";
  script << "END\n";
}

std::string subtitle(const std::vector<Evaluation> &shown) {
  std::string text;
  for (const Evaluation &evaluation : shown)
    text += (text.empty() ? "" : "; ") + name_of(evaluation.kind) + ": " + example::readable(evaluation.seconds) +
            ", of which " + example::readable(total(evaluation.rounds).exchange_seconds) + " in exchanges";
  return text;
}

void write_panel(std::ostream &script, const std::vector<Evaluation> &shown, const char *title, int column) {
  script << "set title " << quoted(title) << "\nplot ";
  const char *separator = "";
  for (const Evaluation &evaluation : shown) {
    const auto name = name_of(evaluation.kind);
    script << separator << "$" << name << " using 1:" << column << " with linespoints pointtype 7 pointsize 0.4 "
           << "linewidth 1.5 linecolor '" << colour(evaluation.kind) << "' title " << quoted(name);
    separator = ", ";
  }
  script << "\n";
}

}  // namespace

std::string gnuplot_script(const Report &report, const std::string &path) {
  const auto shown = medians(report);
  const auto input = std::filesystem::path(report.input).stem().string();
  std::ostringstream script;
  for (const Evaluation &evaluation : shown) write_rounds(script, evaluation);
  script << "set terminal svg size 1120,500 font 'sans-serif,13' background '#ffffff' noenhanced\n"
         << "set output " << quoted(path) << "\nset encoding utf8\nset multiplot\nset border 3\nset tics nomirror\n"
         << "set grid y linecolor '#dddddd'\nset tmargin screen 0.78\nset bmargin screen 0.14\nset xlabel 'round'\n"
         << "set logscale y\nset xrange [0:" << shown.front().rounds.size() + 1 << "]\nset label 1 "
         << quoted(report.program + " of " + input) << " at screen 0.5,0.955 center font ',18'\nset label 2 "
         << quoted(subtitle(shown)) << " at screen 0.5,0.895 center textcolor '#555555'\n"
         << "set lmargin screen 0.08\nset rmargin screen 0.47\nunset key\n";
  write_panel(script, {shown.front()}, "New tuples", 2);
  script << "unset label\nset lmargin screen 0.57\nset rmargin screen 0.97\nset key top right\n";
  write_panel(script, shown, "Time in the exchange, slowest rank, ms", 3);
  script << "unset multiplot\nset output\n";
  return script.str();
}

}  // namespace relations
