#include "schedule/forwarding_table.hpp"

#include <gtest/gtest.h>

#include "exchange/error.hpp"
#include "plans/digits.hpp"
#include "tests/route/journey.hpp"

namespace rondo::internal {
namespace {

TEST(ForwardingTable, FollowsAPassedOnBlock) {
  const Route route = relay().routes()[1];

  const ForwardingTable forwarding = forwarding_table_of(route);

  EXPECT_EQ(forwarding.arrival, (std::vector<std::size_t>{ForwardingTable::own, 1, ForwardingTable::own}));
  EXPECT_EQ(forwarding.departure, (std::vector<int>{ForwardingTable::final, 1, ForwardingTable::final}));
}

TEST(ForwardingTable, DirectRoutePassesNothingOn) {
  const Route route = relay().routes()[2];

  const ForwardingTable forwarding = forwarding_table_of(route);

  EXPECT_EQ(forwarding.arrival, (std::vector<std::size_t>{ForwardingTable::own, ForwardingTable::own}));
  EXPECT_EQ(forwarding.departure, (std::vector<int>{ForwardingTable::final, ForwardingTable::final}));
}

TEST(ForwardingTable, OneRankHasNone) {
  const ForwardingTable forwarding = forwarding_table_of(Route(0, 1));

  EXPECT_TRUE(forwarding.arrival.empty());
  EXPECT_TRUE(forwarding.departure.empty());
}

TEST(ForwardingTable, BlockThatIsNotHeldIsAnError) {
  Journey journey = relay();
  journey.received[0].blocks.pop_back();

  try {
    forwarding_table_of(journey.routes()[1]);
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.fault, Fault::internal);
    EXPECT_EQ(error.message(), "rank 1 sends block (0, 2) but never receives it");
  }
}

TEST(ForwardingTable, BlockSentOnTwiceDepartsWithTheLast) {
  Journey journey = relay();
  journey.steps = 3;
  journey.sent.push_back({2, 1, 0, {{0, 2}}});

  const ForwardingTable forwarding = forwarding_table_of(journey.routes()[1]);

  EXPECT_EQ(forwarding.departure[1], 2);
}

TEST(ForwardingTable, OfALongRouteNamesTheSameBlocks) {
  const Route route = digit_route(17, 61, 3, Direction::down);

  const ForwardingTable forwarding = forwarding_table_of(route);

  for (std::size_t e = 0; e < forwarding.arrival.size(); ++e) {
    const Block &sent = route.sends.blocks()[e];
    const bool own = forwarding.arrival[e] == ForwardingTable::own;
    ASSERT_EQ(own, sent.source == 17);
    ASSERT_TRUE(own || route.receives.blocks()[forwarding.arrival[e]] == sent);
  }
}

}  // namespace
}  // namespace rondo::internal
