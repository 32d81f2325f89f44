// What becomes of empty blocks, empty messages, and pieces that lie side by side.

#include "schedule/lower.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/check.hpp"
#include "schedule/run.hpp"
#include "tests/plans/settings.hpp"
#include "tests/route/journey.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

std::vector<Schedule> schedules_of(const char *name, const std::vector<Exchange> &world) {
  const Algorithm &algorithm = *find_algorithm(name);
  const int ranks = static_cast<int>(world.size());
  return plan_all(algorithm, effective(algorithm, {.radix = 2}, ranks), {.ranks = ranks, .node_of = {}}, world)
      .schedules;
}

// The schedule of one rank of the relay: rank 1 passes on what rank 0 has for rank 2.
Schedule relayed(int rank, const std::vector<Exchange> &world) {
  const Topology topology{static_cast<int>(world.size()), {}};
  return lower_all(Layout::compact, relay().routes(), topology, world)[static_cast<std::size_t>(rank)];
}

std::size_t messages(const std::vector<Schedule> &schedules) {
  std::size_t sum = 0;
  for (const Schedule &schedule : schedules) sum += schedule.sends.size();
  return sum;
}

bool pads(const Algorithm &algorithm) {
  return algorithm.layout == Layout::padded || algorithm.layout == Layout::padded_direct;
}

std::size_t messages_with_bytes(const Traffic &traffic, const SizeOf &size_of) {
  std::size_t found = 0;
  for (const Message &message : traffic.messages()) {
    const auto blocks = traffic.blocks(message);
    const auto has_bytes = [&](const Block &block) { return size_of(block.source, block.part) > 0; };
    found += std::any_of(blocks.begin(), blocks.end(), has_bytes) ? 1U : 0U;
  }
  return found;
}

TEST(Lower, AllEmptyMovesNothing) {
  for (const Algorithm *algorithm : routed_algorithms()) {
    for (const Schedule &schedule : schedules_of(algorithm->name.data(), dense_world(8, constant(0)))) {
      EXPECT_TRUE(schedule.sends.empty() && schedule.receives.empty()) << algorithm->name;
      EXPECT_EQ(totals(schedule).steps + totals(schedule).copied_bytes, 0) << algorithm->name;
      EXPECT_EQ(schedule.scratch_bytes + schedule.staging_bytes + schedule.block_moves, 0) << algorithm->name;
    }
  }
}

TEST(Lower, EmptyMessagesAreDroppedOnBothSides) {
  const auto only_to_the_next = [](int source, int destination) { return destination == (source + 1) % 4 ? 8 : 0; };
  const std::vector<Exchange> world = dense_world(4, only_to_the_next);

  const std::vector<Schedule> schedules = schedules_of("spread_out", world);

  EXPECT_EQ(check_schedules(schedules, world), "");
  EXPECT_EQ(messages(schedules), 4U);
  for (const Schedule &schedule : schedules) EXPECT_EQ(schedule.receives.size(), 1U);
}

TEST(Lower, EveryMessageWithBytesIsSentAndNoOther) {
  const auto few = [](int source, int destination) { return (5 * source + destination) % 7 == 0 ? 3 : 0; };
  const std::vector<Exchange> world = dense_world(16, few);

  for (const Algorithm *algorithm : routed_algorithms()) {
    const Setting setting = settings(*algorithm, 16).at(0);
    if (pads(*algorithm) || !algorithm->obstacle(case_of(world), setting.parameters).empty()) continue;
    const Planned planned = plan_all(*algorithm, setting.parameters, setting.topology(), world);
    for (std::size_t rank = 0; rank < 16; ++rank) {
      EXPECT_EQ(planned.schedules[rank].sends.size(), messages_with_bytes(planned.routes[rank].sends, few));
      EXPECT_EQ(planned.schedules[rank].receives.size(), messages_with_bytes(planned.routes[rank].receives, few));
    }
  }
}

// Distance 3 downwards is two hops by binary digits.
TEST(Lower, OneBlockTakesItsHopsAndNoMore) {
  const std::vector<Exchange> world =
      dense_world(8, [](int source, int destination) { return source == 5 && destination == 2 ? 8 : 0; });

  const std::vector<Schedule> schedules = schedules_of("tuna", world);

  EXPECT_EQ(check_schedules(schedules, world), "");
  EXPECT_EQ(messages(schedules), 2U);
  EXPECT_EQ(schedules[5].block_moves, 1);
  EXPECT_EQ(schedules[4].block_moves, 1);
  EXPECT_EQ(schedules[4].scratch_bytes, 8);
}

TEST(Lower, EmptyBlockLeavesItsMessage) {
  std::vector<Exchange> world = dense_world(3, constant(8));
  world[0].send[2].length = world[2].receive[0].length = 0;

  const Schedule schedule = relayed(1, world);

  EXPECT_EQ(schedule.block_moves, 2);
  EXPECT_EQ(schedule.receives[0].bytes, 8);
  EXPECT_EQ(schedule.sends[1].bytes, 8);
  EXPECT_EQ(schedule.scratch_bytes, 0);
}

TEST(Lower, PaddedMessagesKeepEmptyBlocks) {
  const std::vector<Exchange> world =
      dense_world(4, [](int source, int destination) { return source == 0 && destination == 1 ? 8 : 0; });

  for (const Schedule &schedule : schedules_of("padded_alltoall", world)) {
    EXPECT_EQ(schedule.sends.size(), 3U);
    EXPECT_EQ(totals(schedule).bytes, 3 * 8);
  }
}

TEST(Lower, StepsStayAlignedWhenARankIsIdle) {
  const std::vector<Exchange> world = dense_world(8, [](int source, int) { return source == 0 ? 8 : 0; });

  for (const Schedule &schedule : schedules_of("tuna", world)) {
    EXPECT_EQ(schedule.steps.size(), 3U) << schedule.rank;
  }
}

TEST(Lower, NeighbouringBlocksAreOneSlice) {
  const Schedule schedule = relayed(0, dense_world(3, constant(8)));

  ASSERT_EQ(schedule.sends[0].count, 1U);
  EXPECT_EQ(schedule.slices_of(schedule.sends[0])[0], (Slice{8, 16, Space::send}));
  EXPECT_FALSE(schedule.sends[0].staged());
}

TEST(Lower, BlocksWithAGapAreTwoSlices) {
  std::vector<Exchange> world = dense_world(3, constant(8));
  world[0].send[2].offset += 1;

  const Schedule schedule = relayed(0, world);

  EXPECT_EQ(schedule.sends[0].count, 2U);
  EXPECT_TRUE(schedule.sends[0].staged());
}

TEST(Lower, NeighboursInTwoSpacesAreTwoSlices) {
  std::vector<Exchange> world = dense_world(3, constant(8));
  world[1].receive[0].offset = -8;

  const Schedule schedule = relayed(1, world);

  const auto slices = schedule.slices_of(schedule.receives[0]);
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[0], (Slice{-8, 8, Space::receive}));
  EXPECT_EQ(slices[1], (Slice{0, 8, Space::scratch}));
}

TEST(Lower, EmptyBlockBetweenNeighboursDoesNotPartThem) {
  const Journey journey{.ranks = 4, .steps = 1, .sent = {{0, 0, 1, {{0, 1}, {0, 2}, {0, 3}}}}, .received = {}};
  const Route route = journey.routes()[0];
  Exchange exchange = dense_exchange(0, 4, [](int, int destination) { return destination == 2 ? 0 : 8; });
  exchange.send[2].offset = 999;

  const Schedule schedule =
      lower(Layout::direct, {route, forwarding_table_of(route), known_sizes(route, exchange), exchange, 8});

  ASSERT_EQ(schedule.sends[0].count, 1U);
  EXPECT_EQ(schedule.slices[0], (Slice{8, 16, Space::send}));
}

// The last step of padded_bruck at rank 0 of 8 sends slots 4 to 7.
TEST(Lower, SlotsInARowAreOneSlice) {
  const std::vector<Schedule> schedules = schedules_of("padded_bruck", dense_world(8, constant(8)));

  const Transfer &last = schedules[0].sends.back();

  ASSERT_EQ(last.count, 1U);
  EXPECT_EQ(schedules[0].slices_of(last)[0], (Slice{32, 32, Space::scratch}));
}

// Whether any message of these schedules rests at its sender.
bool any_rests(const std::vector<Schedule> &schedules) {
  return std::ranges::any_of(schedules, [](const Schedule &schedule) {
    return std::ranges::any_of(schedule.sends, &Transfer::rests_at_sender);
  });
}

std::vector<Schedule> schedules_of_tuna(const std::vector<Exchange> &world, Wire wire) {
  const Topology topology{static_cast<int>(world.size()), {}};
  return plan_all(*find_algorithm("tuna"), {.radix = 2}, topology, world, wire).schedules;
}

// By `tuna` of radix 2 rank 0 sends its block for rank 2 in the last step, and that of rank 3, which has rested.
TEST(Lower, AMessageRestsAtItsSenderWhereAllOfItIsPassedOn) {
  const std::vector<Exchange> none_for_two =
      dense_world(4, [](int source, int destination) { return (destination - source + 4) % 4 == 2 ? 0 : 8; });

  EXPECT_TRUE(any_rests(schedules_of_tuna(none_for_two, Wire::shared)));
  EXPECT_FALSE(any_rests(schedules_of_tuna(none_for_two, Wire::packed)));
  EXPECT_FALSE(any_rests(schedules_of_tuna(dense_world(4, constant(8)), Wire::shared)));
}

// Rank 0 of basic_bruck rotates by nothing.
TEST(Lower, CopiesInARowAreOneCopy) {
  const std::vector<Schedule> schedules = schedules_of("basic_bruck", dense_world(8, constant(8)));

  ASSERT_EQ(schedules[0].prologue.size(), 1U);
  EXPECT_EQ(schedules[0].prologue[0].from, (Slice{0, 64, Space::send}));
  EXPECT_EQ(schedules[3].prologue.size(), 2U);
}

TEST(Lower, CountsBlockMovesThatAreNotEmpty) {
  const std::vector<Schedule> schedules = schedules_of("spread_out", dense_world(5, irregular));

  for (const Schedule &schedule : schedules) {
    std::int64_t blocks = 0;
    for (int peer = 0; peer < 5; ++peer) blocks += peer != schedule.rank && irregular(schedule.rank, peer) > 0 ? 1 : 0;
    EXPECT_EQ(schedule.block_moves, blocks);
  }
}

}  // namespace
}  // namespace rondo::internal
