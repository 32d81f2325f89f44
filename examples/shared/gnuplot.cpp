// SPDX-License-Identifier: BSD-3-Clause
#include "shared/gnuplot.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace example {

// Single quotes, in which gnuplot substitutes nothing; a quote in the text is doubled.
std::string quoted(const std::string &text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += c;
    result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return result + "'";
}

std::string number(double value) {
  std::ostringstream text;
  text.precision(9);
  text << value;
  return text.str();
}

void draw(const std::string &script, const std::string &path) {
  // Asked first, since a pipe to a program that is not there ends this one with a signal.
  if (std::system("command -v gnuplot >/dev/null 2>&1") != 0)
    throw ChartError("gnuplot is not installed (Debian package gnuplot-nox)");
  if (!std::ofstream(path)) throw ChartError("the file " + path + " cannot be written");
  std::FILE *pipe = popen("gnuplot", "w");
  if (pipe == nullptr) throw ChartError("gnuplot cannot be started");
  std::fwrite(script.data(), 1, script.size(), pipe);
  if (pclose(pipe) != 0) throw ChartError("gnuplot failed; what it says is above");
}

}  // namespace example
