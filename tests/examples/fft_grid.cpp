// SPDX-License-Identifier: BSD-3-Clause
#include "grid.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using Sizes = std::vector<int>;

std::string fault_of(const std::string &size, const std::string &decomposition, int ranks) {
  try {
    static_cast<void>(fft::make_problem(size, decomposition, ranks));
    return "none";
  } catch (const std::invalid_argument &fault) {
    return fault.what();
  }
}

TEST(FftGrid, EvenSlabsDifferByOneAtMost) {
  const auto slabs = fft::even_slabs(8, 3);

  EXPECT_EQ(slabs.sizes, (Sizes{3, 3, 2}));
  EXPECT_EQ(slabs.firsts, (Sizes{0, 3, 6}));
}

TEST(FftGrid, BlocksLeaveTheLastRanksWithLessOrNothing) {
  const auto slabs = fft::block_slabs(5, 4, 2);

  EXPECT_EQ(slabs.sizes, (Sizes{2, 2, 1, 0}));
  EXPECT_EQ(slabs.firsts, (Sizes{0, 2, 4, 5}));
}

TEST(FftGrid, BlocksAreAsLargeAsNeeded) {
  const auto problem = fft::make_problem("5,9,2", "blocks", 4);

  EXPECT_EQ(problem.x.sizes, (Sizes{2, 2, 1, 0}));
  EXPECT_EQ(problem.y.sizes, (Sizes{3, 3, 3, 0}));
}

TEST(FftGrid, FirstSettingLeavesRanksWithoutPlanes) {
  const auto problem = fft::make_problem("N1", "", 8);

  EXPECT_EQ(problem.x.sizes, (Sizes{1, 1, 1, 1, 1, 0, 0, 0}));
  EXPECT_EQ(problem.y.sizes, (Sizes{1, 1, 1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(problem.grid.z, 4);  // 8 numbers of 64 bits
}

TEST(FftGrid, SecondSettingGivesTheLastRankAQuarter) {
  const auto problem = fft::make_problem("N2", "", 4);

  EXPECT_EQ(problem.x.sizes, (Sizes{1, 1, 1, 1}));
  EXPECT_EQ(problem.y.sizes, (Sizes{32, 32, 32, 8}));
  EXPECT_EQ(fft::elements(problem.grid), ((4 - 1) * 32 + 8) * 4);
}

TEST(FftGrid, SettingsOfOneRankHaveElements) {
  EXPECT_EQ(fft::elements(fft::make_problem("N1", "", 1).grid), 4);
  EXPECT_EQ(fft::elements(fft::make_problem("N2", "", 1).grid), 8);
}

TEST(FftGrid, WhatIsNoSizeIsSaid) {
  for (const char *size : {"", "4", "4,4", "4,4,0", "4,4,-1", "4,4,4,", "4,4,4,4", "4,x,4", "4,4,99999999999", "n1"})
    EXPECT_EQ(fault_of(size, "", 2),
              "--size: expected NX,NY,NZ of at least 1, N1 or N2, found '" + std::string(size) + "'");
}

TEST(FftGrid, TooManyElementsAreRefused) {
  EXPECT_EQ(fault_of("2147483647,2147483647,2147483647", "", 2),
            "--size: 2147483647,2147483647,2147483647 is more than 2147483647 elements");
}

TEST(FftGrid, WhatIsNoDecompositionIsSaid) {
  EXPECT_EQ(fault_of("4,4,4", "2", 2), "--decomposition: expected even, blocks, or BX,BY of at least 1, found '2'");
}

TEST(FftGrid, BlocksThatHoldTooLittleAreRefused) {
  EXPECT_EQ(fault_of("4,6,4", "2,2", 2), "--decomposition: blocks of 2 planes on 2 ranks hold 4 of the 6 planes of y");
}

}  // namespace
