#include "schedule/print.hpp"

#include <gtest/gtest.h>

#include "schedule/run.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

std::string printed(const char *name, std::size_t rank, int ranks) {
  const Planned planned =
      plan_all(*find_algorithm(name), {.radix = 2}, {.ranks = ranks, .node_of = {}}, dense_world(ranks, constant(8)));
  return to_string(planned.schedules[rank]);
}

TEST(SchedulePrint, LineACopyAndAMessage) {
  EXPECT_EQ(printed("tuna", 1, 4),
            "rank 1 of 4: scratch 8 bytes, staging 128 bytes\n"
            "step 0\n"
            "  -> rank 0, 16 bytes staged at 0: S[0..8) S[16..24)\n"
            "  <- rank 2, 16 bytes staged at 64: R[16..24) T[0..8)\n"
            "meanwhile\n"
            "  S[8..16) to R[8..16)\n"
            "step 1\n"
            "  -> rank 3, 16 bytes staged at 0: S[24..32) T[0..8)\n"
            "  <- rank 3, 16 bytes staged at 64: R[24..32) R[0..8)\n");
}

TEST(SchedulePrint, MessagesInPlace) {
  EXPECT_EQ(printed("spread_out", 0, 2),
            "rank 0 of 2: scratch 0 bytes, staging 0 bytes\n"
            "step 0\n"
            "  -> rank 1, 8 bytes: S[8..16)\n"
            "  <- rank 1, 8 bytes: R[8..16)\n"
            "meanwhile\n"
            "  S[0..8) to R[0..8)\n");
}

TEST(SchedulePrint, OneRankCopiesItsOwnBlock) {
  EXPECT_EQ(printed("tuna", 0, 1),
            "rank 0 of 1: scratch 0 bytes, staging 0 bytes\n"
            "meanwhile\n"
            "  S[0..8) to R[0..8)\n");
}

TEST(SchedulePrint, CopiesBeforeAndAfter) {
  EXPECT_EQ(printed("padded_alltoall", 0, 2),
            "rank 0 of 2: scratch 32 bytes, staging 0 bytes\n"
            "prologue\n"
            "  S[8..16) to T[8..16)\n"
            "step 0\n"
            "  -> rank 1, 8 bytes: T[8..16)\n"
            "  <- rank 1, 8 bytes: T[24..32)\n"
            "meanwhile\n"
            "  S[0..8) to R[0..8)\n"
            "epilogue\n"
            "  T[24..32) to R[8..16)\n");
}

TEST(Totals, CountMessagesBytesAndCopies) {
  const Planned planned =
      plan_all(*find_algorithm("sloav"), {}, {.ranks = 4, .node_of = {}}, dense_world(4, constant(8)));

  const Totals sum = totals(planned.schedules[0]);

  EXPECT_EQ(sum.steps, 2);
  EXPECT_EQ(sum.messages, 2);
  EXPECT_EQ(sum.bytes, 4 * 8);
  EXPECT_EQ(sum.copied_bytes, (1 + 3) * 8);
}

TEST(Totals, IdleStepsDoNotCount) {
  Schedule schedule;
  schedule.steps.resize(3);

  EXPECT_EQ(totals(schedule).steps, 0);
}

}  // namespace
}  // namespace rondo::internal
