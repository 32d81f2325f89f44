// The chart of a run: what one exchange costs in each way, and what many cost, init included.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_CHART_HPP
#define CONJUGATE_GRADIENT_CHART_HPP

#include <string>
#include <vector>

#include "cost.hpp"

namespace cg {

struct Chart {
  std::string title;
  std::string subtitle;
  std::vector<Cost> costs;  // Rondo last
  int exchanges_made;       // by the solve
};

// The commands that make gnuplot draw it as SVG into this file.
[[nodiscard]] std::string gnuplot_script(const Chart &chart, const std::string &path);

// Draws it. Throws example::ChartError when gnuplot is not installed or fails, or the file cannot be written.
void write_chart(const Chart &chart, const std::string &path);

}  // namespace cg

#endif
