#include <gtest/gtest.h>

#include "cli/overlap_table.hpp"

namespace rondo::cli {
namespace {

Overlap measured(double alone, double work, double together, double tested) {
  Overlap overlap;
  overlap.spec.algorithm = "tuna";
  overlap.alone = alone;
  overlap.work = work;
  overlap.together = together;
  overlap.tested = tested;
  return overlap;
}

TEST(Overlap, IsWhatTheExchangeDoesNotCost) {
  const Overlap overlap = measured(10, 100, 108, 103);

  EXPECT_DOUBLE_EQ(Overlap::left_over(overlap.together, overlap.work), 8);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.together), 20);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.tested), 70);
}

TEST(Overlap, IsAllWhereTheExchangeCostsNothing) {
  const Overlap overlap = measured(10, 100, 99, 100);

  EXPECT_DOUBLE_EQ(Overlap::left_over(overlap.together, overlap.work), 0);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.together), 100);
}

TEST(Overlap, IsNotLessThanNothing) {
  const Overlap overlap = measured(10, 100, 150, 110);

  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.together), 0);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.tested), 0);
}

TEST(OverlapTable, SaysWhatIsLeftOut) {
  Overlap refused = measured(0, 0, 0, 0);
  refused.refused = "not a power of two";
  const std::string text = overlap_table(64, {}, std::vector{measured(10, 100, 108, 103), refused});

  EXPECT_NE(text.find("blocks of 64 bytes"), std::string::npos) << text;
  EXPECT_NE(
      text.find("tuna                                    10.0     100.0       8.000        20%       3.000        70%"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("left out: not a power of two"), std::string::npos) << text;
}

}  // namespace
}  // namespace rondo::cli
