// SPDX-License-Identifier: BSD-3-Clause
#include "compressed_rows.hpp"

#include <numeric>

namespace cg {
namespace {

bool has_mirror(const example::CoordinateMatrix &matrix, const example::Entry &entry) {
  return matrix.symmetric && entry.row != entry.column;
}

std::vector<int> row_offsets(const example::CoordinateMatrix &matrix) {
  std::vector<int> offsets(static_cast<std::size_t>(matrix.rows) + 1, 0);
  for (const example::Entry &entry : matrix.entries) {
    ++offsets[entry.row + 1];
    if (has_mirror(matrix, entry)) ++offsets[entry.column + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

}  // namespace

CompressedRows compress(const example::CoordinateMatrix &matrix) {
  CompressedRows result;
  result.offsets = row_offsets(matrix);
  result.columns.resize(result.offsets.back());
  result.values.resize(result.offsets.back());
  std::vector<int> next(result.offsets.begin(), result.offsets.end() - 1);
  const auto put = [&](int row, int column, double value) {
    result.columns[next[row]] = column;
    result.values[next[row]++] = value;
  };
  // Entries come by row, then column. A mirror, right of the diagonal, comes with a later row than all
  // entries of its own row left of it, so columns ascend without a sort.
  for (const example::Entry &entry : matrix.entries) {
    put(entry.row, entry.column, entry.value);
    if (has_mirror(matrix, entry)) put(entry.column, entry.row, entry.value);
  }
  return result;
}

void multiply(const CompressedRows &matrix, std::span<const double> vector, std::span<double> result) {
  for (int row = 0; row < matrix.rows(); ++row) {
    double sum = 0;
    for (int i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i)
      sum += matrix.values[i] * vector[matrix.columns[i]];
    result[row] = sum;
  }
}

}  // namespace cg
