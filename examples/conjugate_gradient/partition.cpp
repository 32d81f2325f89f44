// SPDX-License-Identifier: BSD-3-Clause
#include "partition.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace cg {
namespace {

int owner(std::span<const int> first_rows, int row) {
  // The last block that begins at or before the row: empty blocks before it begin there too.
  return static_cast<int>(std::upper_bound(first_rows.begin(), first_rows.end(), row) - first_rows.begin()) - 1;
}

std::vector<int> columns_of_others(const CompressedRows &rows, int first, int last) {
  std::vector<int> halo;
  std::copy_if(rows.columns.begin(), rows.columns.end(), std::back_inserter(halo),
               [&](int column) { return column < first || column >= last; });
  std::sort(halo.begin(), halo.end());
  halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
  return halo;
}

}  // namespace

std::vector<int> partition_rows(std::span<const int> row_offsets, int ranks) {
  std::vector<int> first_rows(static_cast<std::size_t>(ranks) + 1);
  for (int rank = 0; rank < ranks; ++rank) {
    const auto share = static_cast<int>(std::int64_t{row_offsets.back()} * rank / ranks);
    const auto row = std::lower_bound(row_offsets.begin(), row_offsets.end(), share);
    first_rows[rank] = static_cast<int>(row - row_offsets.begin());
  }
  first_rows[ranks] = static_cast<int>(row_offsets.size()) - 1;
  return first_rows;
}

CompressedRows block_of_rows(const CompressedRows &matrix, int first, int last) {
  const int begin = matrix.offsets[first];
  const int end = matrix.offsets[last];
  CompressedRows block;
  block.offsets.assign(matrix.offsets.begin() + first, matrix.offsets.begin() + last + 1);
  for (int &offset : block.offsets) offset -= begin;
  block.columns.assign(matrix.columns.begin() + begin, matrix.columns.begin() + end);
  block.values.assign(matrix.values.begin() + begin, matrix.values.begin() + end);
  return block;
}

LocalBlock localise(CompressedRows rows, std::span<const int> first_rows, int rank) {
  const int first = first_rows[rank];
  const int last = first_rows[rank + 1];
  LocalBlock block;
  block.first_row = first;
  block.halo = columns_of_others(rows, first, last);
  block.receive_counts.assign(first_rows.size() - 1, 0);
  for (const int column : block.halo) ++block.receive_counts[owner(first_rows, column)];
  for (int &column : rows.columns) {
    const bool own = column >= first && column < last;
    const auto place = std::lower_bound(block.halo.begin(), block.halo.end(), column) - block.halo.begin();
    column = own ? column - first : last - first + static_cast<int>(place);
  }
  block.rows = std::move(rows);
  return block;
}

std::vector<int> packed_displacements(std::span<const int> counts) {
  std::vector<int> displacements(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
  return displacements;
}

std::vector<int> rows_to_send(std::span<const int> requested, int first_row) {
  std::vector<int> rows(requested.begin(), requested.end());
  for (int &row : rows) row -= first_row;
  return rows;
}

}  // namespace cg
