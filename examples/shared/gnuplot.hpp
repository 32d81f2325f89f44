// Charts by gnuplot.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_GNUPLOT_HPP
#define EXAMPLE_GNUPLOT_HPP

#include <stdexcept>
#include <string>

namespace example {

struct ChartError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The text in quotes, for a script.
[[nodiscard]] std::string quoted(const std::string &text);

// The number for a script.
[[nodiscard]] std::string number(double value);

// Runs a script that writes the file `path`. Throws ChartError when gnuplot is not installed or fails, or the file
// cannot be written.
void draw(const std::string &script, const std::string &path);

}  // namespace example

#endif
