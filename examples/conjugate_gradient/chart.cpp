// SPDX-License-Identifier: BSD-3-Clause
#include "chart.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace cg {

void write_chart(const Chart &chart, const std::string &path) {
  // Asked first, since a pipe to a program that is not there ends this one with a signal.
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
    throw ChartError("gnuplot is not installed (Debian package gnuplot-nox)");
  if (!std::ofstream(path)) throw ChartError("the file " + path + " cannot be written");
  const auto script = gnuplot_script(chart, path);
  std::FILE *pipe = popen("gnuplot", "w");
  if (pipe == nullptr) throw ChartError("gnuplot cannot be started");
  std::fwrite(script.data(), 1, script.size(), pipe);
  if (pclose(pipe) != 0) throw ChartError("gnuplot failed; what it says is above");
}

}  // namespace cg
