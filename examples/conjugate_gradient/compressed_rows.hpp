// A sparse matrix, or a block of its rows, in compressed rows.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_COMPRESSED_ROWS_HPP
#define CONJUGATE_GRADIENT_COMPRESSED_ROWS_HPP

#include <span>
#include <vector>

#include "shared/coordinate_matrix.hpp"

namespace cg {

struct CompressedRows {
  std::vector<int> offsets{0};  // row r has entries offsets[r] .. offsets[r + 1] - 1
  std::vector<int> columns;
  std::vector<double> values;

  [[nodiscard]] int rows() const { return static_cast<int>(offsets.size()) - 1; }
  [[nodiscard]] int nonzeros() const { return offsets.back(); }
};

// Both triangles of a symmetric matrix; columns ascend in each row.
[[nodiscard]] CompressedRows compress(const example::CoordinateMatrix &matrix);

// result = matrix * vector. The vector has an element for every column number in the matrix.
void multiply(const CompressedRows &matrix, std::span<const double> vector, std::span<double> result);

}  // namespace cg

#endif
