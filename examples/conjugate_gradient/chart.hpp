// The chart of a run: what one exchange costs in each way, and what many cost, init included.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_CHART_HPP
#define CONJUGATE_GRADIENT_CHART_HPP

#include <stdexcept>
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

struct ChartError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The commands that make gnuplot draw it as SVG into this file.
[[nodiscard]] std::string gnuplot_script(const Chart &chart, const std::string &path);

// Draws it. Throws ChartError when gnuplot is not installed or fails, or the file cannot be written.
void write_chart(const Chart &chart, const std::string &path);

}  // namespace cg

#endif
