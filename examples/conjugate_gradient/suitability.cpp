// SPDX-License-Identifier: BSD-3-Clause
#include "suitability.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "shared/file_error.hpp"

namespace cg {
namespace {

std::string position(int row, int column) {
  return "(" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ")";
}

std::string shown(double value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
}

void require_square(const example::CoordinateMatrix &matrix) {
  if (matrix.rows == matrix.columns) return;
  throw example::FileError(matrix.file, matrix.size_line,
                           "the matrix is not square: it has " + std::to_string(matrix.rows) + " rows and " +
                               std::to_string(matrix.columns) + " columns");
}

const example::Entry *find(const example::CoordinateMatrix &matrix, int row, int column) {
  const auto found = std::lower_bound(
      matrix.entries.begin(), matrix.entries.end(), std::pair(row, column),
      [](const example::Entry &e, const std::pair<int, int> &p) { return std::pair(e.row, e.column) < p; });
  const bool there = found != matrix.entries.end() && found->row == row && found->column == column;
  return there ? &*found : nullptr;
}

[[noreturn]] void fail_unsymmetric(const example::CoordinateMatrix &matrix, const example::Entry &entry,
                                   const example::Entry *mirror) {
  const auto other = mirror ? "is " + shown(mirror->value) + " (line " + std::to_string(mirror->line) + ")"
                            : std::string("is not there");
  throw example::FileError(matrix.file, entry.line,
                           "the matrix is not symmetric: entry " + position(entry.row, entry.column) + " is " +
                               shown(entry.value) + ", but its mirror " + position(entry.column, entry.row) + " " +
                               other);
}

void require_symmetric(const example::CoordinateMatrix &matrix) {
  if (matrix.symmetric) return;
  constexpr double tolerance = 1e-12;
  for (const example::Entry &entry : matrix.entries) {
    const example::Entry *mirror = find(matrix, entry.column, entry.row);
    const double other = mirror ? mirror->value : 0;
    const double larger = std::max(std::abs(entry.value), std::abs(other));
    if (std::abs(entry.value - other) > tolerance * larger) fail_unsymmetric(matrix, entry, mirror);
  }
}

// Walks the diagonal along the sorted entries, so that a wrong number of rows takes no memory.
void require_positive_diagonal(const example::CoordinateMatrix &matrix) {
  int row = 0;
  const auto missing = [&] {
    throw example::FileError(
        matrix.file, 0,
        "the matrix is not positive definite: its diagonal entry " + position(row, row) + " is not there");
  };
  for (const example::Entry &entry : matrix.entries) {
    if (entry.row != entry.column) continue;
    if (entry.row != row) missing();
    if (!(entry.value > 0))
      throw example::FileError(matrix.file, entry.line,
                               "the matrix is not positive definite: its diagonal entry " + position(row, row) +
                                   " is " + shown(entry.value));
    ++row;
  }
  if (row != matrix.rows) missing();
}

}  // namespace

void require_suitable(const example::CoordinateMatrix &matrix) {
  require_square(matrix);
  require_symmetric(matrix);
  require_positive_diagonal(matrix);
}

}  // namespace cg
