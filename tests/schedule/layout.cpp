// How much scratch each layout takes, and what it copies before and after.

#include "schedule/layout.hpp"

#include <gtest/gtest.h>

#include "schedule/run.hpp"
#include "tests/schedule/alone.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t bytes = 10;

Schedule schedule_of(const char *name, int ranks) {
  return schedule_alone(name, ranks / 2, ranks, {.radix = 2}, bytes);
}

std::int64_t all_bytes(const std::vector<Copy> &copies) {
  std::int64_t sum = 0;
  for (const Copy &copy : copies) sum += copy.from.length;
  return sum;
}

TEST(Layout, TwoPhaseHasOneSlotARank) {
  for (const int ranks : {1, 2, 3, 8, 64}) {
    EXPECT_EQ(schedule_of("two_phase_bruck", ranks).scratch_bytes, ranks * bytes) << ranks;
  }
}

TEST(Layout, TwoPhaseSlotsAreAsLargeAsTheLargestBlock) {
  const std::vector<Exchange> world =
      dense_world(5, [](int source, int destination) { return source == 3 && destination == 1 ? 77 : 2; });

  const Planned planned = plan_all(*find_algorithm("two_phase_bruck"), {}, {.ranks = 5, .node_of = {}}, world);

  for (const Schedule &schedule : planned.schedules) EXPECT_EQ(schedule.scratch_bytes, 5 * 77);
}

TEST(Layout, DirectTakesNoScratchAndCopiesItsOwnBlock) {
  for (const char *name : {"linear", "spread_out", "scattered", "pairwise", "exclusive_or"}) {
    const Schedule schedule = schedule_of(name, 8);

    EXPECT_EQ(schedule.scratch_bytes + schedule.staging_bytes, 0) << name;
    EXPECT_EQ(totals(schedule).copied_bytes, bytes) << name;
  }
}

TEST(Layout, TunaOfRadixAllRanksTakesNoScratch) {
  EXPECT_EQ(schedule_alone("tuna", 1, 8, {.radix = 8}, bytes).scratch_bytes, 0);
}

TEST(Layout, PaddedBruckPadsAndCutsAllButItsOwn) {
  const Schedule schedule = schedule_of("padded_bruck", 8);

  EXPECT_EQ(schedule.scratch_bytes, 8 * bytes);
  EXPECT_EQ(all_bytes(schedule.prologue), 7 * bytes);
  EXPECT_EQ(all_bytes(schedule.epilogue), 7 * bytes);
}

TEST(Layout, PaddedAlltoallHasSlotsForBothWays) {
  EXPECT_EQ(schedule_of("padded_alltoall", 8).scratch_bytes, 2 * 8 * bytes);
}

TEST(Layout, SloavGathersAllThatItReceives) {
  const Schedule schedule = schedule_of("sloav", 8);

  EXPECT_EQ(schedule.scratch_bytes, 7 * bytes);
  EXPECT_EQ(all_bytes(schedule.epilogue), 7 * bytes);
}

TEST(Layout, BasicBruckRotatesFirstAndLast) {
  const Schedule schedule = schedule_of("basic_bruck", 8);

  EXPECT_EQ(all_bytes(schedule.prologue), 8 * bytes);
  EXPECT_EQ(all_bytes(schedule.epilogue), 2 * 8 * bytes);
  EXPECT_TRUE(schedule.rests_in_receive);
}

TEST(Layout, ModifiedBruckRotatesFirstOnly) {
  const Schedule schedule = schedule_of("modified_bruck", 8);

  EXPECT_EQ(all_bytes(schedule.prologue), 8 * bytes);
  EXPECT_TRUE(schedule.epilogue.empty());
  EXPECT_EQ(schedule.scratch_bytes, 0);
}

TEST(Layout, ZeroRotationBruckCopiesItsOwnBlockOnly) {
  const Schedule schedule = schedule_of("zero_rotation_bruck", 8);

  EXPECT_EQ(totals(schedule).copied_bytes, bytes);
  EXPECT_EQ(schedule.scratch_bytes, 0);
}

// What comes in never lands on what goes out in the same step.
void expect_disjoint_steps(const Schedule &schedule) {
  for (const Step &step : schedule.steps) {
    for (const Slice &sent : schedule.slices_of(schedule.sends_of(step)[0])) {
      for (const Slice &received : schedule.slices_of(schedule.receives_of(step)[0])) {
        EXPECT_FALSE(sent.overlaps(received)) << sent.offset << " and " << received.offset;
      }
    }
  }
}

// Träff 2014, section 3.3.
TEST(Layout, ZeroCopyBruckNeverReceivesOntoWhatItSends) {
  expect_disjoint_steps(schedule_of("zero_copy_bruck", 16));
}

// Träff 2014, section 3.5.
TEST(Layout, IrregularZeroCopyBruckRestsInTwoBuffersOfTheLargestBlock) {
  for (const int ranks : {1, 2, 3, 16, 21}) {
    const Schedule schedule = schedule_of("irregular_zero_copy_bruck", ranks);

    EXPECT_EQ(schedule.scratch_bytes, 2 * ranks * bytes) << ranks;
    EXPECT_EQ(totals(schedule).copied_bytes, bytes) << ranks;  // its own block
    expect_disjoint_steps(schedule);
  }
}

TEST(Layout, NativeHasNone) {
  const Route route(0, 1);
  const Exchange exchange = dense_exchange(0, 1, constant(8));

  EXPECT_THROW(lay_out(Layout::native, {route, {}, {}, exchange, 8}), std::exception);
}

}  // namespace
}  // namespace rondo::internal
