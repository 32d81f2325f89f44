#include "schedule/stage.hpp"

#include <gtest/gtest.h>

namespace rondo::internal {
namespace {

constexpr int peer = 1;

// One step; each message is given by its slices.
Schedule one_step(const std::vector<std::vector<Slice>> &sends, const std::vector<std::vector<Slice>> &receives) {
  Schedule schedule;
  const auto add = [&](std::vector<Transfer> &transfers, const std::vector<Slice> &slices) {
    Transfer &transfer = transfers.emplace_back(Transfer{.peer = peer, .first = schedule.slices.size()});
    transfer.count = static_cast<std::uint32_t>(slices.size());
    for (const Slice &slice : slices) {
      schedule.slices.push_back(slice);
      transfer.bytes += slice.length;
    }
  };
  for (const auto &slices : sends) add(schedule.sends, slices);
  for (const auto &slices : receives) add(schedule.receives, slices);
  schedule.steps.push_back({.sends = sends.size(), .receives = receives.size()});
  return schedule;
}

TEST(Stage, OneSliceTravelsInPlace) {
  Schedule schedule = one_step({{{0, 8, Space::send}}}, {{{0, 8, Space::receive}}});

  stage(schedule);

  EXPECT_FALSE(schedule.sends[0].staged());
  EXPECT_FALSE(schedule.receives[0].staged());
  EXPECT_EQ(schedule.staging_bytes, 0);
}

TEST(Stage, SeveralSlicesAreStagedApart) {
  const std::vector<Slice> two = {{0, 8, Space::send}, {16, 8, Space::send}};
  Schedule schedule = one_step({two, two}, {{{0, 60, Space::receive}, {100, 60, Space::scratch}}});

  stage(schedule);

  EXPECT_EQ(schedule.sends[0].staging, 0);
  EXPECT_EQ(schedule.sends[1].staging, 64);
  EXPECT_EQ(schedule.receives[0].staging, 128);
  EXPECT_EQ(schedule.staging_bytes, 128 + 128);
}

TEST(Stage, SentFromWhereTheStepReceivesIsStaged) {
  Schedule schedule = one_step({{{4, 8, Space::scratch}}}, {{{0, 8, Space::scratch}}});

  stage(schedule);

  EXPECT_TRUE(schedule.sends[0].staged());
  EXPECT_FALSE(schedule.receives[0].staged());
}

// Other ranks read it there for as long as the step lasts.
TEST(Stage, ReceivedWhereTheStepSendsThroughSharedMemoryIsStaged) {
  Schedule schedule = one_step({{{4, 8, Space::scratch}}}, {{{0, 8, Space::scratch}}});
  schedule.sends[0].wire = Wire::shared;
  schedule.steps_disjoint = true;

  stage(schedule);

  EXPECT_FALSE(schedule.sends[0].staged());
  EXPECT_TRUE(schedule.receives[0].staged());
}

TEST(Stage, SentFromBesideWhereTheStepReceivesIsInPlace) {
  Schedule schedule = one_step({{{8, 8, Space::scratch}}}, {{{0, 8, Space::scratch}}, {{16, 8, Space::scratch}}});

  stage(schedule);

  EXPECT_FALSE(schedule.sends[0].staged());
}

TEST(Stage, SentFromWhereAStagedMessageIsReceivedIsInPlace) {
  Schedule schedule = one_step({{{0, 8, Space::scratch}}}, {{{0, 8, Space::scratch}, {20, 8, Space::scratch}}});

  stage(schedule);

  EXPECT_FALSE(schedule.sends[0].staged());
  EXPECT_TRUE(schedule.receives[0].staged());
}

TEST(Stage, LargeSliceThatCoversAReceiveFromBeforeItIsStaged) {
  Schedule schedule = one_step({{{0, 100, Space::receive}}}, {{{40, 8, Space::receive}}, {{200, 8, Space::receive}}});

  stage(schedule);

  EXPECT_TRUE(schedule.sends[0].staged());
}

TEST(Stage, EveryStepUsesTheSpaceAnew) {
  const std::vector<Slice> small = {{0, 8, Space::send}, {16, 8, Space::send}};
  const std::vector<Slice> large = {{0, 100, Space::send}, {200, 100, Space::send}};
  Schedule schedule = one_step({small, large}, {});
  schedule.steps = {{.first_send = 0, .sends = 1}, {.first_send = 1, .sends = 1}};

  stage(schedule);

  EXPECT_EQ(schedule.sends[0].staging, 0);
  EXPECT_EQ(schedule.sends[1].staging, 0);
  EXPECT_EQ(schedule.staging_bytes, 256);
}

}  // namespace
}  // namespace rondo::internal
