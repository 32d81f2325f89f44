// What is concluded from the times of messages between nodes.

#include "wire/message_cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace rondo::internal {
namespace {

// Nanoseconds of one short message, of eight, of a longer one, and of one of 64 KiB, in each round.
MessageTimes times(std::array<std::int64_t, MessageTimes::kinds> of_kinds) {
  MessageTimes all;
  for (std::size_t round = 0; round < MessageTimes::rounds; ++round) {
    std::copy(of_kinds.begin(), of_kinds.end(), all.nanoseconds.begin() + round * MessageTimes::kinds);
  }
  return all;
}

TEST(MessageTimes, TellMessagesStepsAndBytesApart) {
  const MessageCost cost = times({10'000, 24'000, 14'800, 40'000}).cost();

  EXPECT_EQ(cost.step, 10'000);
  EXPECT_EQ(cost.message, 2'000);
  EXPECT_EQ(cost.kibibyte, 100);
  EXPECT_EQ(cost.asking, 40'000 - 10'000 - 64 * 100);
}

TEST(MessageTimes, CountByTheQuickestRoundOfEachKind) {
  MessageTimes interrupted = times({10'000, 24'000, 14'800, 40'000});
  for (std::size_t kind = 0; kind < MessageTimes::kinds; ++kind) {
    for (std::size_t round = 0; round < MessageTimes::rounds; ++round) {
      if (round != kind) interrupted.nanoseconds[round * MessageTimes::kinds + kind] *= 9;
    }
  }

  EXPECT_EQ(interrupted.cost().step, 10'000);
  EXPECT_EQ(interrupted.cost().message, 2'000);
  EXPECT_EQ(interrupted.cost().kibibyte, 100);
  EXPECT_EQ(interrupted.cost().asking, 23'600);
}

TEST(MessageTimes, OfWhichMoreTakeLessCostNothingLessThanNothing) {
  const MessageCost cost = times({10'000, 4'000, 3'000, 2'000}).cost();

  EXPECT_EQ(cost.step, 4'000);
  EXPECT_EQ(cost.message, 500);
  EXPECT_EQ(cost.kibibyte, 0);
  EXPECT_EQ(cost.asking, 0);
}

}  // namespace
}  // namespace rondo::internal
