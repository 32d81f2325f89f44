#include "schedule/check.hpp"

#include <gtest/gtest.h>

#include "schedule/run.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

// Right schedules of four ranks, blocks of 8 bytes, for a test to break one thing in. By `tuna` of radix 2 rank 1
// sends S[0..8) S[16..24) and receives R[16..24) T[0..8), copies S[8..16) to R[8..16) meanwhile, then sends
// S[24..32) T[0..8) and receives R[24..32) R[0..8). All messages are staged, in 128 bytes.
class CheckSchedules : public testing::Test {
 protected:
  explicit CheckSchedules(const char *algorithm = "tuna")
      : world(dense_world(4, constant(8))),
        schedules(plan_all(*find_algorithm(algorithm), {.radix = 2}, {.ranks = 4, .node_of = {}}, world).schedules) {}

  Transfer &send(std::size_t rank, std::size_t step) {
    return schedules[rank].sends[schedules[rank].steps[step].first_send];
  }
  Transfer &receive(std::size_t rank, std::size_t step) {
    return schedules[rank].receives[schedules[rank].steps[step].first_receive];
  }
  Slice &sent(std::size_t rank, std::size_t step, std::size_t index) {
    return schedules[rank].slices[send(rank, step).first + index];
  }
  Slice &received(std::size_t rank, std::size_t step, std::size_t index) {
    return schedules[rank].slices[receive(rank, step).first + index];
  }
  [[nodiscard]] std::string fault() const { return check_schedules(schedules, world); }

  std::vector<Exchange> world;
  std::vector<Schedule> schedules;
};

// The same by spread_out: every message is one block, in place.
class CheckDirectSchedules : public CheckSchedules {
 protected:
  CheckDirectSchedules() : CheckSchedules("spread_out") {}
};

TEST_F(CheckSchedules, RightOnes) {
  EXPECT_EQ(fault(), "");
}

TEST_F(CheckDirectSchedules, RightOnes) {
  EXPECT_EQ(fault(), "");
}

TEST_F(CheckSchedules, NoSchedules) {
  EXPECT_EQ(check_schedules({}, {}), "there are no schedules");
}

TEST_F(CheckSchedules, ExchangeIsMissing) {
  world.pop_back();

  EXPECT_EQ(fault(), "4 schedules for 3 exchanges");
}

TEST_F(CheckSchedules, OneRankHasMoreSteps) {
  schedules[2].steps.emplace_back();

  EXPECT_EQ(fault(), "rank 2 has 3 steps, rank 0 has 2");
}

TEST_F(CheckSchedules, EndsDifferInBytes) {
  receive(0, 0).bytes = 12;

  EXPECT_EQ(fault(), "step 0: sent is rank 1 to rank 0, 16 bytes, received is rank 1 to rank 0, 12 bytes");
}

TEST_F(CheckSchedules, NobodyReceives) {
  schedules[2].steps[1].receives = 0;

  EXPECT_EQ(fault(), "step 1: sent is rank 0 to rank 2, 16 bytes, received is rank 1 to rank 3, 16 bytes");
}

TEST_F(CheckSchedules, NobodySends) {
  schedules[3].steps[1].sends = 0;

  EXPECT_EQ(fault(), "step 1: sent is nothing, received is rank 3 to rank 1, 16 bytes");
}

TEST_F(CheckSchedules, MessageToAnotherRank) {
  send(3, 1).peer = 0;

  EXPECT_EQ(fault(), "step 1: sent is rank 3 to rank 0, 16 bytes, received is rank 3 to rank 1, 16 bytes");
}

TEST_F(CheckSchedules, EmptyMessage) {
  send(1, 0).bytes = receive(0, 0).bytes = 0;
  send(1, 0).count = receive(0, 0).count = 0;

  EXPECT_EQ(fault(), "rank 0, step 0: has a message of 0 bytes in slices of 0");
}

TEST_F(CheckSchedules, EmptySlice) {
  sent(1, 0, 0).length = 0;
  sent(1, 0, 1).length = 16;

  EXPECT_EQ(fault(), "rank 1, step 0: reads the empty slice send bytes 0..0");
}

TEST_F(CheckSchedules, EmptyCopy) {
  schedules[1].meanwhile[0].from.length = 0;

  EXPECT_EQ(fault(), "rank 1, meanwhile: reads the empty slice send bytes 8..8");
}

TEST_F(CheckSchedules, SlicesAreNotTheMessage) {
  sent(1, 0, 1).length = 4;

  EXPECT_EQ(fault(), "rank 1, step 0: has a message of 16 bytes in slices of 12");
}

TEST_F(CheckSchedules, SeveralSlicesInPlace) {
  send(1, 0).staging = Transfer::in_place;

  EXPECT_EQ(fault(), "rank 1, step 0: has in place slices: 2");
}

TEST_F(CheckDirectSchedules, SendsInPlaceWhatItReceivesInPlace) {
  sent(1, 0, 0) = received(1, 0, 0);

  EXPECT_EQ(fault(), "rank 1, step 0: sends what it receives into: receive bytes 0..8");
}

TEST_F(CheckDirectSchedules, SendsPartOfWhatItReceivesInPlace) {
  sent(1, 0, 0) = {20, 8, Space::receive};

  EXPECT_EQ(fault(), "rank 1, step 0: sends what it receives into: receive bytes 20..28");
}

TEST_F(CheckDirectSchedules, SendsStagedWhatItReceivesInPlace) {
  sent(1, 0, 0) = received(1, 0, 0);
  send(1, 0).staging = 0;
  schedules[1].staging_bytes = 8;
  schedules[1].steps_disjoint = false;

  EXPECT_EQ(fault(), "");
}

// Others may pull what is sent through shared memory at any time of the step.
TEST_F(CheckDirectSchedules, IsApartButSendsSharedWhatItReceivesInPlace) {
  sent(1, 0, 0) = received(1, 0, 0);
  send(1, 0).wire = Wire::shared;

  EXPECT_EQ(fault(), "rank 1, step 0: sends what it receives into: receive bytes 0..8");
}

TEST_F(CheckDirectSchedules, SendsSharedWhatItReceivesStaged) {
  sent(1, 0, 0) = received(1, 0, 0);
  send(1, 0).wire = Wire::shared;
  receive(1, 0).staging = 0;
  schedules[1].staging_bytes = 8;

  EXPECT_EQ(fault(), "");
}

// What is received through shared memory may arrive at any time of the step.
TEST_F(CheckDirectSchedules, IsApartButReceivesSharedWhatItSends) {
  sent(1, 0, 0) = received(1, 0, 0);
  send(1, 0).staging = 0;
  schedules[1].staging_bytes = 8;
  receive(1, 0).wire = Wire::shared;

  EXPECT_EQ(fault(), "rank 1, step 0: sends what it receives into: receive bytes 0..8");
}

TEST_F(CheckSchedules, ReadsOutsideTheSendExtents) {
  sent(1, 0, 0).offset = -1;

  EXPECT_EQ(fault(), "rank 1, step 0: reads outside what is named: send bytes -1..7");
}

TEST_F(CheckSchedules, ReadsAGapOfTheSendSpace) {
  world[1].send[2].length = 7;

  EXPECT_EQ(fault(), "rank 1, step 0: reads outside what is named: send bytes 16..24");
}

TEST_F(CheckSchedules, ReadsOutsideScratch) {
  sent(1, 1, 1).offset = 1;

  EXPECT_EQ(fault(), "rank 1, step 1: reads outside what is named: scratch bytes 1..9");
}

TEST_F(CheckSchedules, WritesOutsideScratch) {
  received(1, 0, 1).offset = -8;

  EXPECT_EQ(fault(), "rank 1, step 0: writes outside what is named: scratch bytes -8..0");
}

TEST_F(CheckSchedules, WritesOutsideTheReceiveExtents) {
  received(1, 1, 0).offset = 25;

  EXPECT_EQ(fault(), "rank 1, step 1: writes outside what is named: receive bytes 25..33");
}

TEST_F(CheckSchedules, WritesTheSendSpace) {
  received(1, 0, 1).space = Space::send;

  EXPECT_EQ(fault(), "rank 1, step 0: writes send bytes 0..8");
}

TEST_F(CheckSchedules, CopiesIntoTheSendSpace) {
  schedules[1].epilogue.push_back({{0, 8, Space::receive}, {0, Space::send}});

  EXPECT_EQ(fault(), "rank 1, epilogue: writes send bytes 0..8");
}

TEST_F(CheckSchedules, CopiesOntoItself) {
  schedules[1].epilogue.push_back({{0, 8, Space::receive}, {4, Space::receive}});

  EXPECT_EQ(fault(), "rank 1, epilogue: copies onto itself receive bytes 0..8");
}

TEST_F(CheckSchedules, CopiesFromOutside) {
  schedules[1].prologue.push_back({{0, 80, Space::send}, {0, Space::scratch}});

  EXPECT_EQ(fault(), "rank 1, prologue: reads outside what is named: send bytes 0..80");
}

TEST_F(CheckSchedules, StagesOutside) {
  send(1, 0).staging = 120;

  EXPECT_EQ(fault(), "rank 1, step 0: stages outside: bytes 120..136");
}

TEST_F(CheckSchedules, StagesTwoMessagesInOnePlace) {
  send(1, 0).staging = receive(1, 0).staging + 15;

  EXPECT_EQ(fault(), "rank 1, step 0: stages twice in bytes 79..95");
}

TEST_F(CheckSchedules, WritesTwiceInAStep) {
  received(1, 1, 0).offset = 4;

  EXPECT_EQ(fault(), "rank 1, step 1: writes twice to receive bytes 0..8 and receive bytes 4..12");
}

TEST_F(CheckSchedules, WritesTwiceInAll) {
  received(1, 1, 0).offset = 16;

  EXPECT_EQ(fault(), "rank 1, the whole exchange: writes twice to receive bytes 16..24 and receive bytes 16..24");
}

TEST_F(CheckSchedules, BlocksMayRestInTheReceiveSpace) {
  received(1, 1, 0).offset = 16;
  schedules[1].rests_in_receive = true;

  EXPECT_EQ(fault(), "");
}

// The same where all share memory: T[0..8) is written by rank 2 in step 0, and sent in step 1.
class CheckSharedSchedules : public CheckSchedules {
 protected:
  CheckSharedSchedules() {
    schedules =
        plan_all(*find_algorithm("tuna"), {.radix = 2}, {.ranks = 4, .node_of = {}}, world, Wire::shared).schedules;
  }
};

TEST_F(CheckSharedSchedules, RightOnes) {
  EXPECT_EQ(fault(), "");
}

TEST_F(CheckSharedSchedules, OthersMayWriteWhatIsSentLater) {
  received(1, 1, 0) = {0, 8, Space::scratch};
  receive(1, 1).free_from = 1;

  EXPECT_EQ(fault(), "rank 1, step 1: sends what it receives into: scratch bytes 0..8");
}

TEST_F(CheckSharedSchedules, OthersMayWriteWhatHasArrivedBefore) {
  received(1, 1, 0) = {0, 8, Space::scratch};
  sent(1, 1, 1) = {0, 8, Space::send};

  EXPECT_EQ(fault(), "rank 1, step 1: has others write to what is in use: scratch bytes 0..8");
}

TEST_F(CheckSharedSchedules, OthersWriteWhatNobodyNeedsAnyMore) {
  received(1, 1, 0) = {0, 8, Space::scratch};
  sent(1, 1, 1) = {0, 8, Space::send};
  receive(1, 1).free_from = 1;

  EXPECT_EQ(fault(), "");
}

TEST_F(CheckSharedSchedules, OthersMayWriteWhatIsCopiedFirst) {
  schedules[1].prologue.push_back({{0, 8, Space::send}, {0, Space::scratch}});

  EXPECT_EQ(fault(), "rank 1, step 0: has others write to what is in use: scratch bytes 0..8");
}

TEST_F(CheckSharedSchedules, WritersWaitForALaterStep) {
  receive(1, 0).free_from = 1;

  EXPECT_EQ(fault(), "rank 1, step 0: waits for step 1");
}

// Two nodes of two ranks: in step 2 rank 0 hands S[..) of the other node, which lie in its scratch, to rank 1.
class CheckRestingSchedules : public CheckSchedules {
 protected:
  CheckRestingSchedules() {
    schedules = plan_all(*find_algorithm("node_aggregated"), {.radix = 2, .leaders = 1},
                         {.ranks = 4, .node_of = {0, 0, 1, 1}}, world, Wire::shared)
                    .schedules;
  }
};

TEST_F(CheckRestingSchedules, RightOnes) {
  EXPECT_TRUE(send(0, 2).rests_at_sender);
  EXPECT_TRUE(receive(1, 2).rests_at_sender);
  EXPECT_EQ(fault(), "");
}

TEST_F(CheckRestingSchedules, OneEndDoesNotKnow) {
  receive(1, 2).rests_at_sender = false;

  EXPECT_EQ(fault(), "step 2: sent is rank 0 to rank 1, 16 bytes at rest, received is rank 0 to rank 1, 16 bytes");
}

TEST_F(CheckRestingSchedules, RestsBeforeTheLastStep) {
  send(0, 0).rests_at_sender = receive(1, 0).rests_at_sender = true;

  EXPECT_EQ(fault(), "rank 0, step 0: has a message that cannot rest for rank 1");
}

TEST_F(CheckRestingSchedules, RestsInTheCallersBuffer) {
  sent(0, 2, 0).space = Space::send;

  EXPECT_EQ(fault().substr(0, 58), "rank 0, step 2: has at rest what is not in scratch: send b");
}

TEST_F(CheckRestingSchedules, CopiesOntoWhatRests) {
  const Slice resting = sent(0, 2, 0);
  schedules[0].epilogue.push_back({{8, 8, Space::send}, {resting.offset, Space::scratch}});

  EXPECT_EQ(fault().substr(0, 56), "rank 0, step 2: copies onto what rests: scratch bytes 0.");
}

TEST_F(CheckSchedules, CopiesMeanwhileWhereTheFirstStepWrites) {
  schedules[1].meanwhile[0].to = {18, Space::receive};
  schedules[1].rests_in_receive = true;

  EXPECT_EQ(fault(), "rank 1, meanwhile: copies what the first step moves: receive bytes 18..26");
}

TEST_F(CheckSchedules, CopiesMeanwhileWhatTheFirstStepWrites) {
  schedules[1].meanwhile.push_back({{16, 8, Space::receive}, {8, Space::scratch}});
  schedules[1].scratch_bytes = 16;

  EXPECT_EQ(fault(), "rank 1, meanwhile: copies what the first step moves: receive bytes 16..24");
}

TEST_F(CheckSchedules, CopiesMeanwhileWhatALaterStepWrites) {
  schedules[1].meanwhile[0].to = {24, Space::receive};
  schedules[1].rests_in_receive = true;

  EXPECT_EQ(fault(), "");
}

}  // namespace
}  // namespace rondo::internal
