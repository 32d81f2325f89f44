#include <gtest/gtest.h>

#include "cli/overlap_table.hpp"

namespace rondo::cli {
namespace {

Overlap measured(double alone, double work, double together, double tested) {
  Overlap overlap;
  overlap.spec.algorithm = "tuna";
  overlap.alone = alone;
  overlap.work = work;
  overlap.pieces = work + 1;
  overlap.together = together;
  overlap.tested = tested;
  return overlap;
}

TEST(Overlap, IsWhatTheExchangeDoesNotCost) {
  const Overlap overlap = measured(10, 100, 108, 104);

  EXPECT_DOUBLE_EQ(overlap.costs(), 8);
  EXPECT_DOUBLE_EQ(overlap.costs_tested(), 3);
  EXPECT_DOUBLE_EQ(overlap.overlapped(8), 20);
}

TEST(Overlap, IsAllWhereTheExchangeCostsNothing) {
  const Overlap overlap = measured(10, 100, 99, 101);

  EXPECT_DOUBLE_EQ(overlap.costs(), 0);
  EXPECT_DOUBLE_EQ(overlap.costs_tested(), 0);
  EXPECT_DOUBLE_EQ(overlap.overlapped(0), 100);
}

TEST(Overlap, IsNotLessThanNothing) {
  const Overlap overlap = measured(10, 100, 150, 111);

  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs()), 0);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs_tested()), 0);
}

TEST(OverlapTable, SaysWhatIsLeftOut) {
  Overlap refused = measured(0, 0, 0, 0);
  refused.refused = "not a power of two";
  const std::string text = overlap_table(64, {}, std::vector{measured(10, 100, 108, 104), refused});

  EXPECT_NE(text.find("blocks of 64 bytes"), std::string::npos) << text;
  EXPECT_NE(
      text.find("tuna                                    10.0     100.0       8.000        20%       3.000        70%"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("left out: not a power of two"), std::string::npos) << text;
}

}  // namespace
}  // namespace rondo::cli
