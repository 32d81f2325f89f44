// SPDX-License-Identifier: BSD-3-Clause
#include "cost.hpp"
#include "shared/readable.hpp"

#include <gtest/gtest.h>

namespace {

TEST(BreakEven, IsWhereTheTotalsMeet) {
  const cg::Cost ours{"ours", 100, 20, 2};
  const cg::Cost theirs{"theirs", 0, 0, 6};

  EXPECT_EQ(cg::break_even(ours, theirs), 25);
  EXPECT_EQ(cg::total_seconds(ours, 25), cg::total_seconds(theirs, 25));
}

TEST(BreakEven, CountsTheOthersInit) {
  EXPECT_EQ(cg::break_even({"", 100, 0, 2}, {"", 60, 0, 6}), 10);
}

TEST(BreakEven, OfALaterInit) {
  EXPECT_EQ(cg::break_even(cg::later({"", 100, 20, 2}), cg::later({"", 60, 8, 6})), 3);
}

TEST(BreakEven, IsAtOnceWhenInitIsCheaperToo) {
  EXPECT_EQ(cg::break_even({"", 1, 0, 2}, {"", 60, 0, 6}), 0);
}

TEST(BreakEven, IsNeverWhenTheExchangeIsSlower) {
  EXPECT_FALSE(cg::break_even({"", 0, 0, 7}, {"", 100, 0, 6}));
}

TEST(BreakEven, IsNeverWhenTheGainIsNoise) {
  EXPECT_FALSE(cg::break_even({"", 0, 0, 99}, {"", 100, 0, 100}));
}

TEST(Median, OfOddAndEvenNumbers) {
  EXPECT_EQ(cg::median({5}), 5);
  EXPECT_EQ(cg::median({9, 1, 5}), 5);
  EXPECT_EQ(cg::median({9, 1, 5, 7}), 6);
}

TEST(Readable, PicksTheUnit) {
  EXPECT_EQ(example::readable(0), "0.00 us");
  EXPECT_EQ(example::readable(4.5e-7), "0.45 us");
  EXPECT_EQ(example::readable(12.34e-6), "12.3 us");
  EXPECT_EQ(example::readable(0.1234), "123 ms");
  EXPECT_EQ(example::readable(2.5), "2.50 s");
}

}  // namespace
