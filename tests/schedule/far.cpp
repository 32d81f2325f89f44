// Sizes beyond 2^31, 2^32 and 2^63 bytes: planned, never allocated.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "exchange/error.hpp"
#include "schedule/check.hpp"
#include "schedule/run.hpp"
#include "schedule/stage.hpp"
#include "tests/plans/settings.hpp"
#include "tests/schedule/alone.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t one = 1;

Planned plan_of(const char *name, const std::vector<Exchange> &world) {
  const Algorithm &algorithm = *find_algorithm(name);
  const int ranks = static_cast<int>(world.size());
  return plan_all(algorithm, effective(algorithm, {.radix = 2}, ranks), {.ranks = ranks, .node_of = {}}, world);
}

template <class Act>
std::string error_of(Act &&act) {
  try {
    act();
  } catch (const Error &error) {
    EXPECT_EQ(error.fault, Fault::count);
    return error.message();
  }
  return "no error";
}

// All blocks at offset 0, so that the sum of all is no offset of the exchange's own.
Exchange overlaid_exchange(int rank, int ranks, std::int64_t bytes) {
  const std::vector<Extent> same(static_cast<std::size_t>(ranks), {0, bytes});
  return {.rank = rank, .send = same, .receive = same};
}

std::string error_alone(const char *name, int ranks, const Parameters &parameters, std::int64_t bytes) {
  return error_of([&] { schedule_alone(name, overlaid_exchange(0, ranks, bytes), parameters, bytes); });
}

TEST(FarBytes, EveryAlgorithmPlansBlocksBeyondTwoToTheThirtyTwo) {
  const std::int64_t bytes = (one << 32) + 5;
  const std::vector<Exchange> world = dense_world(8, constant(bytes));

  for (const Algorithm *algorithm : routed_algorithms()) {
    const Planned planned = plan_of(algorithm->name.data(), world);

    EXPECT_EQ(check_schedules(planned.schedules, world), "") << algorithm->name;
  }
}

TEST(FarBytes, MessageOfOneBlockBeyondTwoToTheThirtyOne) {
  const std::int64_t bytes = (one << 31) + 1;

  const Planned planned = plan_of("spread_out", dense_world(4, constant(bytes)));

  const Transfer &last = planned.schedules[0].sends[2];
  EXPECT_EQ(last.bytes, bytes);
  EXPECT_EQ(planned.schedules[0].slices_of(last)[0], (Slice{3 * bytes, bytes, Space::send}));
}

TEST(FarBytes, ScratchAndStagingAreExact) {
  const std::int64_t bytes = one << 40;

  const Schedule schedule = schedule_alone("tuna", 5, 64, {.radix = 2}, bytes);

  EXPECT_EQ(schedule.scratch_bytes, 49 * bytes);
  EXPECT_EQ(schedule.staging_bytes, 2 * 32 * bytes);
  EXPECT_EQ(totals(schedule).bytes, 192 * bytes);
}

TEST(FarBytes, SlotsOfTwoPhaseLieBeyondTwoToTheThirtyTwo) {
  const std::int64_t bytes = one << 33;

  const Schedule schedule = schedule_alone("two_phase_bruck", 0, 8, {}, bytes);

  const auto farthest = std::max_element(schedule.slices.begin(), schedule.slices.end(), [](auto &a, auto &b) {
    return std::pair(a.space, a.offset) < std::pair(b.space, b.offset);
  });
  EXPECT_EQ(farthest->space, Space::scratch);
  EXPECT_EQ(farthest->end(), 8 * bytes);
}

TEST(FarBytes, SizesAreLearnedInFull) {
  std::vector<Exchange> world =
      dense_world(4, [](int source, int destination) { return source == 0 && destination == 1 ? (one << 35) + 7 : 1; });

  const Planned planned = plan_of("tuna", world);

  EXPECT_EQ(check_schedules(planned.schedules, world), "");
  EXPECT_EQ(planned.schedules[3].scratch_bytes, (one << 35) + 7);
}

TEST(FarBytes, MessageBeyondSixtyFourBitsNamesBothValues) {
  EXPECT_EQ(error_alone("tuna", 4, {.radix = 2}, one << 62),
            "a message does not fit in 64 bits: 4611686018427387904 + 4611686018427387904");
}

TEST(FarBytes, ScratchBeyondSixtyFourBitsNamesBothValues) {
  for (const char *name : {"two_phase_bruck", "padded_bruck", "basic_bruck", "zero_copy_bruck"}) {
    EXPECT_EQ(error_alone(name, 8, {.radix = 8}, one << 60), "scratch does not fit in 64 bits: 8 * 1152921504606846976")
        << name;
  }
}

TEST(FarBytes, ScratchForBothWaysBeyondSixtyFourBitsNamesBothValues) {
  EXPECT_EQ(error_alone("padded_alltoall", 8, {}, one << 59),
            "scratch does not fit in 64 bits: 16 * 576460752303423488");
}

TEST(FarBytes, RestingBlocksBeyondSixtyFourBitsNameBothValues) {
  EXPECT_EQ(error_alone("tuna", 64, {.radix = 2}, one << 58),
            "scratch does not fit in 64 bits: 8935141660703064064 + 288230376151711744");
}

TEST(FarBytes, StagingBeyondSixtyFourBitsNamesBothValues) {
  Schedule schedule;
  schedule.slices = {{0, one << 62, Space::send}, {0, (one << 62) - 1, Space::send}};
  schedule.sends.push_back({.peer = 1, .count = 2, .bytes = std::numeric_limits<std::int64_t>::max()});
  schedule.steps.push_back({.sends = 1});

  EXPECT_EQ(error_of([&] { stage(schedule); }), "staging does not fit in 64 bits: 9223372036854775807 + 63");
}

}  // namespace
}  // namespace rondo::internal
