#include "schedule/custody.hpp"

#include <gtest/gtest.h>

#include "exchange/error.hpp"
#include "plans/digits.hpp"
#include "tests/route/journey.hpp"

namespace rondo::internal {
namespace {

TEST(Custody, FollowsAPassedOnBlock) {
  const Route route = relay().routes()[1];

  const Custody custody = trace_custody(route);

  EXPECT_EQ(custody.arrival, (std::vector<std::size_t>{Custody::own, 1, Custody::own}));
  EXPECT_EQ(custody.departure, (std::vector<int>{Custody::final, 1, Custody::final}));
}

TEST(Custody, DirectRoutePassesNothingOn) {
  const Route route = relay().routes()[2];

  const Custody custody = trace_custody(route);

  EXPECT_EQ(custody.arrival, (std::vector<std::size_t>{Custody::own, Custody::own}));
  EXPECT_EQ(custody.departure, (std::vector<int>{Custody::final, Custody::final}));
}

TEST(Custody, OneRankHasNone) {
  const Custody custody = trace_custody(Route(0, 1));

  EXPECT_TRUE(custody.arrival.empty());
  EXPECT_TRUE(custody.departure.empty());
}

TEST(Custody, BlockThatIsNotHeldIsAnError) {
  Journey journey = relay();
  journey.received[0].blocks.pop_back();

  try {
    trace_custody(journey.routes()[1]);
    FAIL() << "no error";
  } catch (const Error &error) {
    EXPECT_EQ(error.fault, Fault::internal);
    EXPECT_EQ(error.message(), "rank 1 sends block (0, 2) but never receives it");
  }
}

TEST(Custody, BlockSentOnTwiceDepartsWithTheLast) {
  Journey journey = relay();
  journey.steps = 3;
  journey.sent.push_back({2, 1, 0, {{0, 2}}});

  const Custody custody = trace_custody(journey.routes()[1]);

  EXPECT_EQ(custody.departure[1], 2);
}

TEST(Custody, OfALongRouteNamesTheSameBlocks) {
  const Route route = digit_route(17, 61, 3, Direction::down);

  const Custody custody = trace_custody(route);

  for (std::size_t e = 0; e < custody.arrival.size(); ++e) {
    const Block &sent = route.sends.blocks()[e];
    const bool own = custody.arrival[e] == Custody::own;
    ASSERT_EQ(own, sent.source == 17);
    ASSERT_TRUE(own || route.receives.blocks()[custody.arrival[e]] == sent);
  }
}

}  // namespace
}  // namespace rondo::internal
