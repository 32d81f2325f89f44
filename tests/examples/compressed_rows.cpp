// SPDX-License-Identifier: BSD-3-Clause
#include "compressed_rows.hpp"

#include <gtest/gtest.h>

namespace {

using Integers = std::vector<int>;
using Reals = std::vector<double>;

TEST(CompressedRows, ExpandsASymmetricMatrix) {
  const example::CoordinateMatrix lower{"", 0, 3, 3, true, {{0, 0, 2, 0}, {1, 0, 5, 0}, {2, 0, 7, 0}, {2, 2, 3, 0}}};

  const auto rows = cg::compress(lower);

  EXPECT_EQ(rows.offsets, (Integers{0, 3, 4, 6}));
  EXPECT_EQ(rows.columns, (Integers{0, 1, 2, 0, 0, 2}));
  EXPECT_EQ(rows.values, (Reals{2, 5, 7, 5, 7, 3}));
}

TEST(CompressedRows, LeavesAGeneralMatrixAsItIs) {
  const example::CoordinateMatrix general{"", 0, 2, 2, false, {{0, 1, 4, 0}, {1, 0, 4, 0}}};

  EXPECT_EQ(cg::compress(general).nonzeros(), 2);
}

TEST(CompressedRows, Multiplies) {
  const cg::CompressedRows rows{{0, 2, 2, 3}, {0, 2, 1}, {1, 2, 3}};
  Reals result(3, -1);

  cg::multiply(rows, Reals{10, 20, 30}, result);

  EXPECT_EQ(result, (Reals{70, 0, 60}));
}

}  // namespace
