#include <gtest/gtest.h>

#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

Route route_of(const char *name, int rank, int ranks, const Parameters &parameters = {}) {
  const Algorithm &algorithm = *find_algorithm(name);
  return algorithm.route(rank, {.ranks = ranks, .node_of = {}}, effective(algorithm, parameters, ranks));
}

// The peers of all messages of one direction, in order.
std::vector<int> peers(const Traffic &traffic) {
  std::vector<int> all;
  for (const Message &message : traffic.messages()) all.push_back(message.peer);
  return all;
}

TEST(Direct, LinearGoesUpTheRanks) {
  const Route route = route_of("linear", 2, 5);

  EXPECT_EQ(route.steps(), 1);
  EXPECT_EQ(peers(route.sends), (std::vector<int>{0, 1, 3, 4}));
  EXPECT_EQ(peers(route.receives), (std::vector<int>{0, 1, 3, 4}));
}

TEST(Direct, SpreadOutBeginsNextToItself) {
  const Route route = route_of("spread_out", 2, 5);

  EXPECT_EQ(route.steps(), 1);
  EXPECT_EQ(peers(route.sends), (std::vector<int>{3, 4, 0, 1}));
  EXPECT_EQ(peers(route.receives), (std::vector<int>{1, 0, 4, 3}));
}

TEST(Direct, PairwiseTakesADistanceAStep) {
  const Route route = route_of("pairwise", 2, 5);

  EXPECT_EQ(route.steps(), 4);
  EXPECT_EQ(route.sends.messages(1)[0].peer, 4);
  EXPECT_EQ(route.receives.messages(1)[0].peer, 0);
}

TEST(Direct, ExclusiveOrMeetsOnePeerAStep) {
  const Route route = route_of("exclusive_or", 2, 4);

  EXPECT_EQ(peers(route.sends), (std::vector<int>{3, 0, 1}));
  EXPECT_EQ(peers(route.receives), (std::vector<int>{3, 0, 1}));
}

TEST(Direct, ScatteredHasAtMostBlockCountSendsAStep) {
  const Algorithm &scattered = *find_algorithm("scattered");

  for (const Setting &setting : settings_up_to(scattered, 64)) {
    for (const Route &route : routes_of_all_ranks(scattered, setting)) {
      for (int step = 0; step < route.steps(); ++step) {
        const auto limit = static_cast<std::size_t>(setting.parameters.block_count);
        ASSERT_LE(route.sends.messages(step).size(), limit) << describe(setting);
        ASSERT_LE(route.receives.messages(step).size(), limit) << describe(setting);
      }
    }
  }
}

TEST(Direct, ScatteredFillsItsBatches) {
  const Route route = route_of("scattered", 0, 11, {.block_count = 4});

  ASSERT_EQ(route.steps(), 3);
  EXPECT_EQ(route.sends.messages(0).size(), 4U);
  EXPECT_EQ(route.sends.messages(1).size(), 4U);
  EXPECT_EQ(route.sends.messages(2).size(), 2U);
}

TEST(Direct, EveryBlockGoesOnItsOwn) {
  for (const char *name : {"linear", "spread_out", "scattered", "pairwise", "exclusive_or", "padded_alltoall"}) {
    const Route route = route_of(name, 5, 16);

    for (const Message &message : route.sends.messages()) {
      ASSERT_EQ(message.count, 1U) << name;
      EXPECT_EQ(route.sends.blocks(message)[0], (Block{5, message.peer})) << name;
    }
  }
}

}  // namespace
}  // namespace rondo::internal
