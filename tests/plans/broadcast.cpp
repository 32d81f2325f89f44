#include "plans/broadcast.hpp"

#include <gtest/gtest.h>

#include <set>

namespace rondo::internal {
namespace {

// Every rank has each bundle once at the end, sends none before it has it, and sends and receives at most one in a
// step.
void check_broadcast(int ranks, int bundles) {
  const RankRange party{.first = 3, .size = ranks};
  std::vector<std::vector<Block>> each;
  for (int i = 0; i < bundles; ++i) each.push_back({{0, i}});
  const int steps = broadcast_steps(ranks, bundles);
  std::vector<Route> routes;
  for (int i = 0; i < ranks; ++i) {
    add_broadcast(routes.emplace_back(party.rank(i), party.first + ranks), party, each, steps);
    ASSERT_EQ(routes.back().steps(), steps);
  }
  std::vector<std::set<int>> held(static_cast<std::size_t>(ranks));
  for (int i = 0; i < bundles; ++i) held.front().insert(i);
  for (int step = 0; step < steps; ++step) {
    const auto before = held;
    for (const Route &route : routes) {
      const auto own = static_cast<std::size_t>(route.rank - party.first);
      ASSERT_LE(route.sends.messages(step).size(), 1U);
      ASSERT_LE(route.receives.messages(step).size(), 1U);
      for (const Message &message : route.receives.messages(step)) {
        const auto peer = static_cast<std::size_t>(message.peer - party.first);
        const int bundle = route.receives.blocks(message).front().part;
        const auto sent = routes[peer].sends.messages(step);
        ASSERT_EQ(sent.size(), 1U);
        ASSERT_EQ(sent.front().peer, route.rank);
        ASSERT_EQ(routes[peer].sends.blocks(sent.front()).front().part, bundle);
        ASSERT_TRUE(before[peer].contains(bundle)) << "rank " << peer << " in step " << step;
        ASSERT_TRUE(held[own].insert(bundle).second) << "bundle " << bundle << " twice";
      }
    }
  }
  for (const auto &bundles_of_one : held) ASSERT_EQ(bundles_of_one.size(), static_cast<std::size_t>(bundles));
}

TEST(Broadcast, BringsEveryBundleOnceToEveryRank) {
  for (int ranks = 1; ranks <= 70; ++ranks) {
    for (const int bundles : {1, 2, 3, ranks, ranks + 5}) {
      SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(bundles) + " bundles");
      check_broadcast(ranks, bundles);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  check_broadcast(1000, 7);
}

TEST(Broadcast, HasAsFewStepsAsCanBe) {
  EXPECT_EQ(broadcast_steps(1, 9), 0);
  EXPECT_EQ(broadcast_steps(2, 1), 1);
  EXPECT_EQ(broadcast_steps(8, 5), 7);
  EXPECT_EQ(broadcast_steps(9, 5), 8);
}

}  // namespace
}  // namespace rondo::internal
