#include "route/check.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "tests/route/journey.hpp"

namespace rondo::internal {
namespace {

TEST(CheckRoutes, RelayIsRight) {
  const Journey journey = relay();

  EXPECT_EQ(check_routes(journey.routes()), "");
}

TEST(CheckRoutes, OneRankHasNothingToDo) {
  const Journey journey{.ranks = 1, .steps = 0, .sent = {}, .received = {}};

  EXPECT_EQ(check_routes(journey.routes()), "");
}

TEST(CheckRoutes, TwoRanksSwapTheirBlocks) {
  const std::vector<Leg> legs = {{0, 0, 1, {{0, 1}}}, {0, 1, 0, {{1, 0}}}};
  const Journey journey{.ranks = 2, .steps = 1, .sent = legs, .received = legs};

  EXPECT_EQ(check_routes(journey.routes()), "");
}

TEST(CheckRoutes, IdleStepIsRight) {
  Journey journey = relay();
  journey.steps = 3;

  EXPECT_EQ(check_routes(journey.routes()), "");
}

TEST(CheckRoutes, NoRoutes) {
  EXPECT_EQ(check_routes({}), "there are no routes");
}

TEST(CheckRoutes, RouteOfAnotherRank) {
  std::vector<Route> routes = relay().routes();
  routes[1].rank = 0;

  EXPECT_EQ(check_routes(routes), "route 1 says rank 0 of 3");
}

TEST(CheckRoutes, RouteForAnotherNumberOfRanks) {
  std::vector<Route> routes = relay().routes();
  routes[2].ranks = 4;

  EXPECT_EQ(check_routes(routes), "route 2 says rank 2 of 4");
}

TEST(CheckRoutes, OneRankHasMoreSteps) {
  std::vector<Route> routes = relay().routes();
  routes[2].begin_step();

  EXPECT_EQ(check_routes(routes), "rank 2 has 3 steps, rank 0 has 2");
}

TEST(CheckRoutes, SendsHaveMoreStepsThanReceives) {
  std::vector<Route> routes = relay().routes();
  for (Route &route : routes) route.sends.begin_step();

  EXPECT_EQ(check_routes(routes), "rank 0 has 3 steps of sends and 2 of receives");
}

TEST(CheckRoutes, MessageToItself) {
  Journey journey = relay();
  journey.sent[1].to = 1;

  EXPECT_EQ(check_routes(journey.routes()), "rank 1 has a message with rank 1");
}

TEST(CheckRoutes, MessageToNoRank) {
  Journey journey = relay();
  journey.sent[1].to = 3;

  EXPECT_EQ(check_routes(journey.routes()), "rank 1 has a message with rank 3");
}

TEST(CheckRoutes, MessageFromNoRank) {
  Journey journey = relay();
  journey.received[1].from = -1;

  EXPECT_EQ(check_routes(journey.routes()), "rank 0 has a message with rank -1");
}

TEST(CheckRoutes, BlockOfARankToItself) {
  Journey journey = relay();
  journey.sent[1].blocks = {{1, 1}};

  EXPECT_EQ(check_routes(journey.routes()), "rank 1 moves block (1, 1)");
}

TEST(CheckRoutes, BlockForNoRank) {
  Journey journey = relay();
  journey.received[1].blocks = {{1, 3}};

  EXPECT_EQ(check_routes(journey.routes()), "rank 0 moves block (1, 3)");
}

TEST(CheckRoutes, BlockOfNoRank) {
  Journey journey = relay();
  journey.sent[1].blocks = {{-1, 0}};

  EXPECT_EQ(check_routes(journey.routes()), "rank 1 moves block (-1, 0)");
}

TEST(CheckRoutes, SentButNotReceived) {
  Journey journey = relay();
  journey.received.erase(journey.received.begin() + 1);

  EXPECT_EQ(check_routes(journey.routes()), "step 0: rank 1 sends to rank 0, which does not receive it");
}

TEST(CheckRoutes, ReceivedButNotSent) {
  Journey journey = relay();
  journey.sent.erase(journey.sent.begin() + 3);

  EXPECT_EQ(check_routes(journey.routes()), "step 1: rank 2 receives from rank 1, which does not send it");
}

TEST(CheckRoutes, ReceivedInAnotherStep) {
  Journey journey = relay();
  journey.received[2].step = 1;

  EXPECT_EQ(check_routes(journey.routes()), "step 0: rank 2 sends to rank 0, which does not receive it");
}

TEST(CheckRoutes, MessageLacksABlockOnOneSide) {
  Journey journey = relay();
  journey.received[0].blocks.pop_back();

  EXPECT_EQ(check_routes(journey.routes()), "step 0: rank 0 and rank 1 disagree on the blocks of a message");
}

TEST(CheckRoutes, BlocksInAnotherOrderOnOneSide) {
  Journey journey = relay();
  std::swap(journey.received[3].blocks[0], journey.received[3].blocks[1]);

  EXPECT_EQ(check_routes(journey.routes()), "step 1: rank 1 and rank 2 disagree on the blocks of a message");
}

TEST(CheckRoutes, TwoMessagesOfAPairInAnotherOrder) {
  Journey journey = relay();
  const std::vector<Leg> apart = {{0, 0, 1, {{0, 1}}}, {0, 0, 1, {{0, 2}}}};
  journey.sent.erase(journey.sent.begin());
  journey.received.erase(journey.received.begin());
  journey.sent.insert(journey.sent.begin(), apart.begin(), apart.end());
  journey.received.insert(journey.received.begin(), apart.rbegin(), apart.rend());

  EXPECT_EQ(check_routes(journey.routes()), "step 0: rank 0 and rank 1 disagree on the blocks of a message");
}

TEST(CheckRoutes, BlockThatIsNotHeld) {
  Journey journey = relay();
  journey.sent[0].blocks.pop_back();
  journey.received[0].blocks.pop_back();

  EXPECT_EQ(check_routes(journey.routes()), "step 1: rank 1 sends block (0, 2), which it does not hold");
}

TEST(CheckRoutes, BlockSentOnInTheStepInWhichItComes) {
  Journey journey = relay();
  journey.sent[3].step = journey.received[3].step = 0;

  EXPECT_EQ(check_routes(journey.routes()), "step 0: rank 1 sends block (0, 2), which it does not hold");
}

TEST(CheckRoutes, BlockComesTwice) {
  Journey journey = relay();
  const Leg again{1, 0, 2, {{0, 2}}};
  journey.sent.push_back(again);
  journey.received.push_back(again);

  EXPECT_EQ(check_routes(journey.routes()), "rank 2 receives block (0, 2) again in step 1");
}

TEST(CheckRoutes, BlockComesBackToItsSource) {
  Journey journey = relay();
  const Leg back{1, 1, 0, {{0, 2}}};
  journey.sent.push_back(back);
  journey.received.push_back(back);

  EXPECT_EQ(check_routes(journey.routes()), "rank 0 receives block (0, 2) again in step 1");
}

TEST(CheckRoutes, BlockIsNeverDelivered) {
  Journey journey = relay();
  journey.sent[3].blocks.pop_back();
  journey.received[3].blocks.pop_back();

  EXPECT_EQ(check_routes(journey.routes()), "rank 2 receives 1 of the 2 blocks meant for it");
}

}  // namespace
}  // namespace rondo::internal
