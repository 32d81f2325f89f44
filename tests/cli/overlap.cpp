#include <gtest/gtest.h>

#include "cli/overlap_table.hpp"

namespace rondo::internal::cli {
namespace {

Overlap measured(double alone, double work, const Quantiles &costs, const Quantiles &costs_tested) {
  Overlap overlap;
  overlap.spec.algorithm = "tuna";
  overlap.alone = alone;
  overlap.work = work;
  overlap.samples = 50;
  overlap.costs = costs;
  overlap.costs_tested = costs_tested;
  return overlap;
}

// With quartiles close by.
Quantiles about(double median) {
  return {median - 1, median - 0.5, median, median + 0.5, median + 1};
}

TEST(Overlap, IsWhatTheExchangeDoesNotCost) {
  const Overlap overlap = measured(10, 100, about(8), about(3));

  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs).value(), 20);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs_tested).value(), 70);
}

TEST(Overlap, IsAllWhereTheExchangeCostsNothing) {
  const Overlap overlap = measured(10, 100, about(-1), about(0));

  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs).value(), 100);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs_tested).value(), 100);
}

TEST(Overlap, IsNotLessThanNothing) {
  const Overlap overlap = measured(10, 100, about(50), about(10.4));

  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs).value(), 0);
  EXPECT_DOUBLE_EQ(overlap.overlapped(overlap.costs_tested).value(), 0);
}

TEST(Overlap, CannotBeToldFromNoise) {
  Overlap overlap = measured(10, 100, {-20, -6, 0, 6, 20}, about(-3));
  Overlap of_two_samples = measured(10, 100, about(3), about(3));
  of_two_samples.samples = 2;

  EXPECT_FALSE(overlap.overlapped(overlap.costs));
  EXPECT_FALSE(overlap.overlapped(overlap.costs_tested));
  EXPECT_FALSE(of_two_samples.overlapped(of_two_samples.costs));
}

TEST(OverlapTable, SaysWhatIsLeftOut) {
  Overlap refused = measured(0, 0, {}, {});
  refused.refused = "not a power of two";
  const std::string text = overlap_table(64, {}, std::vector{measured(10, 100, about(8), about(3)), refused});

  EXPECT_NE(text.find("blocks of 64 bytes"), std::string::npos) << text;
  EXPECT_NE(text.find("tuna                                    10.0     100.0     8.000      7.500..8.500      20%     "
                      "3.000      2.500..3.500      70%"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("left out: not a power of two"), std::string::npos) << text;
  EXPECT_EQ(text.find("noise"), std::string::npos) << text;
}

TEST(OverlapTable, SaysWhatIsNoise) {
  const std::string text = overlap_table(8, {}, std::vector{measured(10, 100, {-20, -6, 0, 6, 20}, about(3))});

  EXPECT_NE(text.find("    0.000     -6.000..6.000    noise     3.000      2.500..3.500      70%\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("noise: less than can be measured here"), std::string::npos) << text;
}

}  // namespace
}  // namespace rondo::internal::cli
