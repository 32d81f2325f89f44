// A sparse matrix as a list of entries, each with the line of the file that it came from.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_COORDINATE_MATRIX_HPP
#define EXAMPLE_COORDINATE_MATRIX_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace example {

struct Entry {
  int row;     // from 0
  int column;  // from 0
  double value;
  std::int64_t line;
};

struct CoordinateMatrix {
  std::string file;
  std::int64_t size_line = 0;  // the line that gives rows and columns
  int rows = 0;
  int columns = 0;
  bool symmetric = false;      // only entries on and below the diagonal are listed; each stands for its mirror too
  std::vector<Entry> entries;  // by row, then column; no position twice
  bool integers = false;       // the file says so of its values
};

}  // namespace example

#endif
