// Where `compact` lets blocks rest: how much scratch that takes, and that blocks at rest are apart.

#include <gtest/gtest.h>

#include "schedule/layout.hpp"
#include "tests/route/journey.hpp"
#include "tests/schedule/alone.hpp"

namespace rondo::internal {
namespace {

// Rank 1 of 4 holds blocks of others and passes them on; what others do on the journey does not matter here.
struct Passing {
  Passing(const std::vector<Leg> &legs, int steps)
      : route(Journey{.ranks = 4, .steps = steps, .sent = legs, .received = legs}.routes()[1]),
        forwarding(forwarding_table_of(route)),
        sizes{std::vector<std::int64_t>(route.sends.blocks().size(), 8),
              std::vector<std::int64_t>(route.receives.blocks().size(), 8)} {}

  [[nodiscard]] LayoutResult arrangement() const {
    return lay_out(Layout::compact, {route, forwarding, sizes, dense_exchange(1, 4, constant(8)), 8});
  }

  Route route;
  ForwardingTable forwarding;
  Sizes sizes;
};

TEST(RestingScratch, OfTunaIsAtMostThePapersBound) {
  for (int ranks = 1; ranks <= 64; ++ranks) {
    for (int radix = 2; radix <= std::max(2, ranks); ++radix) {
      const Schedule schedule = schedule_alone("tuna", ranks / 3, ranks, {.radix = radix}, 10);
      const auto steps = static_cast<std::int64_t>(schedule.steps.size());
      ASSERT_LE(schedule.scratch_bytes, 10 * (ranks - (steps + 1))) << ranks << " ranks, radix " << radix;
    }
  }
}

TEST(RestingScratch, OfTunaAtSixtyFourRanksIsFortyNineBlocks) {
  for (int rank = 0; rank < 64; ++rank) {
    EXPECT_EQ(schedule_alone("tuna", rank, 64, {.radix = 2}, 1).scratch_bytes, 49) << rank;
  }
}

// TuNA, figure 3: 4, 3 and 3 blocks with radices 2, 3 and 4; none from a radix of P - 1.
TEST(RestingScratch, OfTunaAtEightRanks) {
  EXPECT_LE(schedule_alone("tuna", 0, 8, {.radix = 2}, 1).scratch_bytes, 4);
  EXPECT_LE(schedule_alone("tuna", 0, 8, {.radix = 3}, 1).scratch_bytes, 3);
  EXPECT_LE(schedule_alone("tuna", 0, 8, {.radix = 4}, 1).scratch_bytes, 3);
  EXPECT_EQ(schedule_alone("tuna", 0, 8, {.radix = 7}, 1).scratch_bytes, 0);
}

TEST(RestingScratch, BlockThatLeavesMakesRoomForOneThatComes) {
  const Passing passing({{0, 0, 1, {{0, 2}}}, {1, 1, 2, {{0, 2}}}, {1, 0, 1, {{0, 3}}}, {2, 1, 3, {{0, 3}}}}, 3);

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 8);
  EXPECT_EQ(places.arrived[0], (Place{0, Space::scratch}));
  EXPECT_EQ(places.arrived[1], (Place{0, Space::scratch}));
}

TEST(RestingScratch, BlocksAtRestTogetherAreApart) {
  const Passing passing({{0, 0, 1, {{0, 2}, {0, 3}}}, {1, 1, 2, {{0, 2}}}, {2, 1, 3, {{0, 3}}}}, 3);

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 16);
  EXPECT_NE(places.arrived[0], places.arrived[1]);
}

TEST(RestingScratch, BlockThatStaysTakesNone) {
  const Passing passing({{0, 0, 1, {{0, 1}}}}, 1);

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 0);
  EXPECT_EQ(places.arrived[0], (Place{0, Space::receive}));
}

TEST(RestingScratch, EmptyBlockTakesNone) {
  Passing passing({{0, 0, 1, {{0, 2}}}, {1, 1, 2, {{0, 2}}}}, 2);
  passing.sizes.received[0] = 0;

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 0);
}

TEST(RestingScratch, SlotGrowsToItsLargestBlock) {
  Passing passing({{0, 0, 1, {{0, 2}}}, {1, 1, 2, {{0, 2}}}, {1, 0, 1, {{0, 3}}}, {2, 1, 3, {{0, 3}}}}, 3);
  passing.sizes.received = {8, 20};

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 20);
}

TEST(RestingScratch, BlockTakesTheSmallestSlotThatFits) {
  Passing passing({{0, 0, 1, {{0, 2}, {0, 3}, {2, 3}}},
                   {1, 1, 2, {{0, 2}}},
                   {1, 1, 3, {{0, 3}, {2, 3}}},
                   {1, 0, 1, {{3, 2}}},
                   {2, 1, 2, {{3, 2}}}},
                  3);
  passing.sizes.received = {100, 10, 40, 30};

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 150);
  EXPECT_EQ(places.arrived[3], places.arrived[2]);
}

TEST(RestingScratch, BlockSentOnTwiceRestsUntilTheLastTime) {
  const Passing passing({{0, 0, 1, {{0, 2}}}, {1, 1, 2, {{0, 2}}}, {1, 0, 1, {{0, 3}}}, {2, 1, 3, {{0, 2}, {0, 3}}}},
                        3);

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 16);
  EXPECT_NE(places.arrived[0], places.arrived[1]);
}

TEST(RestingScratch, BlockSentOnTwiceInAStepGivesItsRoomBackOnce) {
  const Passing passing({{0, 0, 1, {{0, 2}}},
                         {1, 1, 2, {{0, 2}}},
                         {1, 1, 3, {{0, 2}}},
                         {1, 0, 1, {{0, 3}, {2, 3}}},
                         {2, 1, 3, {{0, 3}, {2, 3}}}},
                        3);

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 16);
  EXPECT_NE(places.arrived[1], places.arrived[2]);
}

TEST(RestingScratch, BlockThatStaysAndIsSentOnIsReceived) {
  const Passing passing({{0, 0, 1, {{0, 1}}}, {1, 1, 2, {{0, 1}}}}, 2);

  const LayoutResult places = passing.arrangement();

  EXPECT_EQ(places.scratch_bytes, 0);
  EXPECT_EQ(places.arrived[0], (Place{0, Space::receive}));
}

}  // namespace
}  // namespace rondo::internal
