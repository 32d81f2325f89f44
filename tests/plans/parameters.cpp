#include <gtest/gtest.h>

#include "plans/algorithm.hpp"
#include "route/print.hpp"

namespace rondo::internal {
namespace {

std::string tuna_route(int radix, int ranks) {
  const Algorithm &tuna = *find_algorithm("tuna");
  return to_string(tuna.route(0, {.ranks = ranks, .node_of = {}}, effective(tuna, {.radix = radix}, ranks)));
}

TEST(EffectiveParameters, RadixAboveAllRanksIsTheirNumber) {
  const Algorithm &tuna = *find_algorithm("tuna");

  EXPECT_EQ(effective(tuna, {.radix = 9}, 8), (Parameters{.radix = 8}));
  EXPECT_EQ(effective(tuna, {.radix = 8}, 8), (Parameters{.radix = 8}));
  EXPECT_EQ(effective(tuna, {.radix = 2'000'000'000}, 2), (Parameters{.radix = 2}));
}

TEST(EffectiveParameters, RadixAboveAllRanksHasTheSameRoute) {
  for (int ranks = 1; ranks <= 16; ++ranks) {
    EXPECT_EQ(tuna_route(ranks + 1, ranks), tuna_route(ranks, ranks)) << ranks;
    EXPECT_EQ(tuna_route(1'000'000, ranks), tuna_route(ranks, ranks)) << ranks;
  }
}

TEST(EffectiveParameters, OneRankHasRadixTwo) {
  EXPECT_EQ(effective(*find_algorithm("tuna"), {.radix = 5}, 1), (Parameters{.radix = 2}));
}

TEST(EffectiveParameters, DefaultsWhereNoneIsGiven) {
  EXPECT_EQ(effective(*find_algorithm("tuna"), {}, 64), (Parameters{.radix = 2}));
  EXPECT_EQ(effective(*find_algorithm("scattered"), {}, 64), (Parameters{.block_count = 32}));
}

TEST(EffectiveParameters, BlockCountIsAtMostThePeers) {
  EXPECT_EQ(effective(*find_algorithm("scattered"), {.block_count = 100}, 8), (Parameters{.block_count = 7}));
  EXPECT_EQ(effective(*find_algorithm("scattered"), {.block_count = 100}, 1), (Parameters{.block_count = 1}));
}

TEST(EffectiveParameters, ZeroWhereTheAlgorithmTakesNone) {
  EXPECT_EQ(effective(*find_algorithm("linear"), {.radix = 4, .block_count = 4}, 8), Parameters{});
  EXPECT_EQ(effective(*find_algorithm("two_phase_bruck"), {.radix = 4, .block_count = 4}, 8), Parameters{});
}

}  // namespace
}  // namespace rondo::internal
