// SPDX-License-Identifier: BSD-3-Clause
#include "chart.hpp"

#include "shared/gnuplot.hpp"

namespace cg {

void write_chart(const Chart &chart, const std::string &path) {
  example::draw(gnuplot_script(chart, path), path);
}

}  // namespace cg
