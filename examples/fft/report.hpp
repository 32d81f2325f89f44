// All that one run finds out, and its two written forms.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_REPORT_HPP
#define FFT_REPORT_HPP

#include <ostream>
#include <string>
#include <vector>

#include "grid.hpp"
#include "measurement.hpp"

namespace fft {

struct Line {
  std::string name;
  Times times;
};

struct Report {
  Problem problem;
  int ranks = 0;
  int repetitions = 0;
  std::string algorithm;  // of Rondo's plan; empty: it has none
  bool checked = false;
  double largest_error = 0;  // of the check
  std::vector<Line> lines;   // each is compared with the first
};

// For people.
void print(std::ostream &out, const Report &report);

// For programs. Throws FileError when it cannot be written.
void write_json(const std::string &path, const Report &report);

}  // namespace fft

#endif
