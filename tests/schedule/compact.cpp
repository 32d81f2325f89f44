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

  [[nodiscard]] LayoutResult arrangement(Wire wire = Wire::packed) const {
    return lay_out(Layout::compact, {route, forwarding, sizes, dense_exchange(1, 4, constant(8)), 8, {}, wire});
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

// The schedule of a rank on nodes of so many ranks, by tuna, with blocks of one byte.
Schedule on_nodes(int ranks_of_node, int rank, int ranks, int radix) {
  std::vector<char> shares;
  for (int other = 0; other < ranks; ++other) {
    shares.push_back(other != rank && other / ranks_of_node == rank / ranks_of_node ? 1 : 0);
  }
  return schedule_alone("tuna", dense_exchange(rank, ranks, constant(1)), {.radix = radix}, 1, shares);
}

// The most that comes through shared memory to rest in two steps.
std::int64_t of_two_steps(const Schedule &schedule) {
  std::int64_t most = 0;
  std::int64_t before = 0;
  for (const Step &step : schedule.steps) {
    std::int64_t here = 0;
    for (const Transfer &receive : schedule.receives_of(step)) {
      if (!receive.shared()) continue;
      for (const Slice &slice : schedule.slices_of(receive)) here += slice.space == Space::scratch ? slice.length : 0;
    }
    most = std::max(most, before + here);
    before = here;
  }
  return most;
}

TEST(RestingScratch, WithSharedMemoryIsThePapersBoundAndWhatTheNodeBringsInTwoSteps) {
  for (int ranks = 2; ranks <= 130; ranks += ranks < 66 ? 1 : 7) {
    for (const int radix : {2, 3, 4, 8}) {
      for (const int of_node : {2, 3, 8, 32, 64, ranks}) {
        for (const int rank : {0, ranks / 3, ranks - 1}) {
          const Schedule schedule = on_nodes(of_node, rank, ranks, radix);
          const auto steps = static_cast<std::int64_t>(schedule.steps.size());
          ASSERT_LE(schedule.scratch_bytes, ranks - (steps + 1) + of_two_steps(schedule))
              << "rank " << rank << " of " << ranks << ", " << of_node << " a node, radix " << radix;
        }
      }
    }
  }
}

TEST(RestingScratch, WithSharedMemoryAtSixtyFourRanks) {
  EXPECT_EQ(on_nodes(64, 0, 64, 2).scratch_bytes, 97);
  EXPECT_EQ(on_nodes(32, 0, 64, 2).scratch_bytes, 97);
  EXPECT_EQ(on_nodes(8, 0, 64, 2).scratch_bytes, 89);
  EXPECT_EQ(on_nodes(2, 0, 64, 2).scratch_bytes, 49);
}

TEST(RestingScratch, WithSharedMemoryAtManyRanks) {
  EXPECT_EQ(on_nodes(32, 0, 16384, 2).scratch_bytes, 30689);
  EXPECT_EQ(on_nodes(32, 31, 16384, 2).scratch_bytes, 16129);
}

// Where few blocks rest, waiting for places would save nothing worth it.
TEST(RestingScratch, WritersOfAFewRanksNeverWait) {
  for (int ranks = 2; ranks <= 32; ++ranks) {
    for (const Transfer &receive : on_nodes(ranks, 0, ranks, 2).receives) EXPECT_EQ(receive.free_from, 0) << ranks;
  }
}

TEST(RestingScratch, OfDatatypesIsLentFromTheNextStepOn) {
  Passing passing({{0, 0, 1, {{0, 2}}}, {1, 1, 2, {{0, 2}}}, {1, 0, 1, {{0, 3}}}, {2, 1, 3, {{0, 3}}}}, 3);
  Passing later({{0, 0, 1, {{0, 2}}}, {1, 1, 2, {{0, 2}}}, {2, 0, 1, {{0, 3}}}, {3, 1, 3, {{0, 3}}}}, 4);

  EXPECT_EQ(passing.arrangement(Wire::datatype).scratch_bytes, 16);
  EXPECT_EQ(later.arrangement(Wire::datatype).scratch_bytes, 8);
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
