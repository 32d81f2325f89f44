// That the runner, which the other tests trust, does what a schedule says and no more.

#include "schedule/run.hpp"

#include <gtest/gtest.h>

#include "exchange/error.hpp"
#include "tests/schedule/memory.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

struct Pair {
  std::vector<Exchange> world = gapped_world(2, constant(8), 1);
  std::vector<Schedule> schedules =
      plan_all(*find_algorithm("linear"), {}, {.ranks = 2, .node_of = {}}, world).schedules;
  Memory memory{world, schedules};

  std::string fault_after_run() {
    memory.fill(1);
    run_all(schedules, memory.spaces());
    return memory.fault();
  }
};

// Cuts the only message of one direction in two: its first byte, and the rest.
void cut(Schedule &schedule, std::vector<Transfer> &transfers) {
  const Slice whole = schedule.slices[transfers[0].first];
  schedule.slices[transfers[0].first].length = transfers[0].bytes = 1;
  transfers.push_back({.peer = transfers[0].peer, .count = 1, .first = schedule.slices.size(), .bytes = 7});
  schedule.slices.push_back({whole.offset + 1, 7, whole.space});
}

TEST(RunAll, DeliversWhatIsRight) {
  Pair pair;

  EXPECT_EQ(pair.fault_after_run(), "");
}

TEST(RunAll, ShowsAMessageNotSent) {
  Pair pair;
  pair.schedules[0].steps[0].sends = 0;
  pair.schedules[1].steps[0].receives = 0;

  EXPECT_EQ(pair.fault_after_run(), "the receive space of rank 1");
}

TEST(RunAll, RefusesToReceiveWhatIsNotSent) {
  Pair pair;
  pair.schedules[0].steps[0].sends = 0;

  EXPECT_THROW(pair.fault_after_run(), Error);
}

TEST(RunAll, KeepsTwoMessagesOfAPairInOrder) {
  Pair pair;
  cut(pair.schedules[0], pair.schedules[0].sends);
  cut(pair.schedules[1], pair.schedules[1].receives);
  pair.schedules[0].steps[0].sends = pair.schedules[1].steps[0].receives = 2;

  EXPECT_EQ(pair.fault_after_run(), "");
}

TEST(RunAll, ShowsACopyNotMade) {
  Pair pair;
  pair.schedules[0].meanwhile.clear();

  EXPECT_EQ(pair.fault_after_run(), "the receive space of rank 0");
}

TEST(RunAll, ShowsAByteTooMany) {
  Pair pair;
  pair.schedules[1].meanwhile[0].to.offset += 1;

  EXPECT_EQ(pair.fault_after_run(), "the receive space of rank 1");
}

TEST(RunAll, ShowsAWriteBesideScratch) {
  Pair pair;
  pair.schedules[1].prologue.push_back({pair.schedules[1].meanwhile[0].from, {-1, Space::scratch}});

  EXPECT_EQ(pair.fault_after_run(), "what lies round the scratch of rank 1");
}

}  // namespace
}  // namespace rondo::internal
