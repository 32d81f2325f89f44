// SPDX-License-Identifier: BSD-3-Clause
#include "partition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace {

using Integers = std::vector<int>;

// Some bands and an arrow, so that blocks have neighbours near and far and uneven rows.
cg::CompressedRows arrow_matrix(int rows) {
  example::CoordinateMatrix matrix{"", 0, rows, rows, true, {}};
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column <= row; ++column)
      if (row == column || column == 0 || row - column == 1 || row - column == 7)
        matrix.entries.push_back({row, column, 1.0 + row + 0.5 * column, 0});
  return cg::compress(matrix);
}

std::vector<cg::LocalBlock> blocks_of(const cg::CompressedRows &matrix, const Integers &first_rows) {
  std::vector<cg::LocalBlock> blocks;
  for (int rank = 0; rank + 1 < static_cast<int>(first_rows.size()); ++rank)
    blocks.push_back(cg::localise(cg::block_of_rows(matrix, first_rows[rank], first_rows[rank + 1]), first_rows, rank));
  return blocks;
}

// What `from` sends to `to`, as an alltoallv of the requests and then of the values would have it.
std::vector<double> sent(const std::vector<cg::LocalBlock> &blocks, int from, int to, std::span<const double> whole) {
  const auto &asking = blocks[to];
  const int begin = cg::packed_displacements(asking.receive_counts)[from];
  const auto requested = std::span(asking.halo).subspan(begin, asking.receive_counts[from]);
  std::vector<double> values;
  for (const int row : cg::rows_to_send(requested, blocks[from].first_row)) {
    EXPECT_LT(row, blocks[from].rows.rows());
    values.push_back(whole[blocks[from].first_row + row]);
  }
  return values;
}

std::vector<double> multiply_in_blocks(const std::vector<cg::LocalBlock> &blocks, std::span<const double> whole) {
  std::vector<double> result;
  for (int rank = 0; rank < static_cast<int>(blocks.size()); ++rank) {
    const auto own = whole.subspan(blocks[rank].first_row, blocks[rank].rows.rows());
    std::vector<double> values(own.begin(), own.end());
    for (int from = 0; from < static_cast<int>(blocks.size()); ++from)
      for (const double value : sent(blocks, from, rank, whole)) values.push_back(value);
    std::vector<double> part(own.size());
    cg::multiply(blocks[rank].rows, values, part);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

class Ranks : public testing::TestWithParam<int> {};

TEST_P(Ranks, MultiplyTogetherWhatOneMultiplies) {
  const auto matrix = arrow_matrix(40);
  std::vector<double> vector(40);
  std::iota(vector.begin(), vector.end(), -11.0);
  std::vector<double> expected(40);
  cg::multiply(matrix, vector, expected);

  const auto blocks = blocks_of(matrix, cg::partition_rows(matrix.offsets, GetParam()));

  EXPECT_EQ(multiply_in_blocks(blocks, vector), expected);
}

TEST_P(Ranks, OwnEveryRowOnce) {
  const auto matrix = arrow_matrix(40);

  const auto first_rows = cg::partition_rows(matrix.offsets, GetParam());

  EXPECT_EQ(first_rows.size(), static_cast<std::size_t>(GetParam()) + 1);
  EXPECT_EQ(first_rows.front(), 0);
  EXPECT_EQ(first_rows.back(), 40);
  EXPECT_TRUE(std::is_sorted(first_rows.begin(), first_rows.end()));
}

TEST_P(Ranks, HaveAHaloOfOthersOnly) {
  const auto matrix = arrow_matrix(40);
  const auto blocks = blocks_of(matrix, cg::partition_rows(matrix.offsets, GetParam()));

  for (int rank = 0; rank < GetParam(); ++rank) {
    const auto &block = blocks[rank];
    EXPECT_EQ(block.receive_counts[rank], 0);
    EXPECT_EQ(std::reduce(block.receive_counts.begin(), block.receive_counts.end()),
              static_cast<int>(block.halo.size()));
    EXPECT_TRUE(std::is_sorted(block.halo.begin(), block.halo.end()));
  }
}

INSTANTIATE_TEST_SUITE_P(Partition, Ranks, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 39, 40, 41, 64));

TEST(Partition, BalancesNonzerosNotRows) {
  const Integers offsets = {0, 100, 110, 120, 130, 200};

  EXPECT_EQ(cg::partition_rows(offsets, 2), (Integers{0, 1, 5}));
  EXPECT_EQ(cg::partition_rows(offsets, 4), (Integers{0, 1, 1, 5, 5}));
}

TEST(Partition, NumbersTheHaloAfterItsOwnRows) {
  const cg::CompressedRows two{{0, 3, 5}, {1, 2, 5, 0, 3}, {1, 2, 3, 4, 5}};

  const auto block = cg::localise(two, Integers{0, 2, 4, 6}, 1);

  EXPECT_EQ(block.first_row, 2);
  EXPECT_EQ(block.halo, (Integers{0, 1, 5}));
  EXPECT_EQ(block.receive_counts, (Integers{2, 0, 1}));
  EXPECT_EQ(block.rows.columns, (Integers{3, 0, 4, 2, 1}));
}

}  // namespace
