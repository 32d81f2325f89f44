// Which rank owns which rows, and what each must learn from the others before it can multiply.
//
// Rank r owns the rows first_rows[r] .. first_rows[r + 1] - 1 and the vector elements of the same numbers.
// The elements of other ranks that its rows refer to are its halo. Nothing here knows MPI.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_PARTITION_HPP
#define CONJUGATE_GRADIENT_PARTITION_HPP

#include <span>
#include <vector>

#include "compressed_rows.hpp"

namespace cg {

// The first row of each of `ranks` blocks and, last, the number of rows: blocks of about equally many
// nonzeros. Some are empty when there are more ranks than rows.
[[nodiscard]] std::vector<int> partition_rows(std::span<const int> row_offsets, int ranks);

// Rows first .. last - 1 of a matrix.
[[nodiscard]] CompressedRows block_of_rows(const CompressedRows &matrix, int first, int last);

// One rank's rows, with columns renumbered: 0 .. rows - 1 are its own, then those of its halo.
struct LocalBlock {
  int first_row = 0;
  CompressedRows rows;
  std::vector<int> halo;            // numbers in the whole matrix; ascending, so grouped by owner
  std::vector<int> receive_counts;  // how many of them each rank owns
};

// Renumbers the rows of one rank.
[[nodiscard]] LocalBlock localise(CompressedRows rows, std::span<const int> first_rows, int rank);

// The displacements of blocks of these sizes, one right after the other.
[[nodiscard]] std::vector<int> packed_displacements(std::span<const int> counts);

// The send list: which of its own rows a rank sends, given what the others asked it for.
[[nodiscard]] std::vector<int> rows_to_send(std::span<const int> requested, int first_row);

}  // namespace cg

#endif
