// Long messages that go by trays, and wait for them.

#include "varying/tray_wait.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "tests/varying/slots.hpp"

namespace rondo::internal {
namespace {

// Both ends, which may wait for trays.
class SlotsThatWait : public Slots {
 protected:
  explicit SlotsThatWait(std::chrono::microseconds longest = TrayWait::usual)
      : waiting(memory_there, places, trays, nullptr, longest),
        answers_waiting(memory_back, places, trays_of_other, nullptr, longest) {}

  SlotWriter waiting;
  SlotWriter answers_waiting;

  testing::AssertionResult exchange(std::int64_t bytes, std::int64_t answer_bytes) {
    Way one{waiting, reader, back, {message_of(bytes, 1)}};
    Way other{answers_waiting, back, reader, {message_of(answer_bytes, 2)}};
    return comes(one, other);
  }
};

// However slow they are.
struct SlotsThatWaitLong : SlotsThatWait {
  SlotsThatWaitLong() : SlotsThatWait(std::chrono::hours(1)) {}
};

TEST_F(SlotsThatWait, BringMessagesOfEachLengthBothWays) {
  for (const std::int64_t bytes : {std::int64_t{1}, places.tray_bytes, places.tray_bytes + 1, 2 * places.tray_bytes,
                                   5 * places.tray_bytes + 3, 20 * places.ring_bytes + longest_short}) {
    for (const std::int64_t answer_bytes : {std::int64_t{1}, 3 * places.tray_bytes + 1, bytes}) {
      EXPECT_TRUE(exchange(bytes, answer_bytes)) << bytes << ' ' << answer_bytes;
    }
  }
}

TEST_F(SlotsThatWaitLong, SendLongMessagesByTraysOnceOneHasComeBack) {
  const auto is_in_tray = [&](const std::byte *place) {
    return place == memory_there.data || place == memory_back.data;
  };
  const std::int64_t bytes = 3 * places.tray_bytes;
  ASSERT_TRUE(exchange(bytes, bytes));

  Sending sending{message_of(bytes, 1)};
  Sending answering{message_of(bytes, 2)};
  std::vector<std::byte> to(static_cast<std::size_t>(bytes));
  for (int part = 0; part < 3; ++part) {
    EXPECT_EQ(sending.go_on(waiting, back), part == 2);
    EXPECT_EQ(answering.go_on(answers_waiting, reader), part == 2);
    EXPECT_EQ(sending.done, (part + 1) * places.tray_bytes) << "it waits for the next tray";
    ASSERT_TRUE(is_in_tray(place_of_next()));
    ASSERT_TRUE(is_in_tray(place_of_next_answer()));
    EXPECT_EQ(reader.read(to.data(), bytes - part * places.tray_bytes), places.tray_bytes);
    EXPECT_EQ(back.read(to.data(), bytes - part * places.tray_bytes), places.tray_bytes);
  }
}

TEST_F(SlotsThatWaitLong, HaveATrayEachAfterAsMuchHasGoneBothWays) {
  ASSERT_TRUE(exchange(1, by_tray));
  ASSERT_FALSE(trays_of_other.have(by_tray)) << "both are here";
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(exchange(4 * places.tray_bytes, 4 * places.tray_bytes));
  EXPECT_TRUE(trays.have(by_tray));
  EXPECT_TRUE(trays_of_other.have(by_tray));
}

TEST_F(SlotsThatWait, GoOnByTheRingWhereNothingLongComesBack) {
  const std::int64_t bytes = 3 * places.tray_bytes;
  ASSERT_TRUE(exchange(bytes, bytes));

  Sending sending{message_of(places.tray_bytes + places.part_bytes(), 1)};
  while (!sending.go_on(waiting, back)) EXPECT_EQ(sending.done, places.tray_bytes) << "for 20 microseconds it waits";
  EXPECT_EQ(sending.done, sending.message.size());
}

// As where one rank sends, and the other answers once it has all.
TEST_F(SlotsThatWaitLong, DoNotWaitWhereLongMessagesGoByTurns) {
  const std::int64_t bytes = 3 * places.tray_bytes;
  const auto goes = [&](SlotWriter &to, SlotReader &from, const SlotReader &heard) {
    Way way{to, from, heard, {message_of(bytes, 1)}};
    return comes(way);
  };
  for (int turns = 0; turns < 4; ++turns) {
    ASSERT_TRUE(goes(waiting, reader, back));
    ASSERT_TRUE(goes(answers_waiting, back, reader));
  }
  Sending sending{message_of(places.tray_bytes + places.part_bytes(), 1)};
  EXPECT_TRUE(sending.go_on(waiting, back));
}

TEST_F(SlotsThatWait, ReadOnlyWhatIsInATrayBeforeTheyFillIt) {
  ASSERT_TRUE(exchange(1, by_tray)) << "two trays are here then";
  const std::int64_t tray = places.tray_bytes;
  Sending sending{message_of(2 * tray + 10, 0)};
  std::vector<std::byte> to(sending.message.size());
  EXPECT_TRUE(sending.go_on(waiting, back)) << "by both trays and the ring";
  ASSERT_TRUE(reader.arrived());
  EXPECT_EQ(reader.read(to.data(), 2 * tray + 10), tray);
  EXPECT_TRUE(reader.has_emptied_tray());
  EXPECT_EQ(reader.read(to.data() + tray, tray + 10), tray);
  EXPECT_EQ(reader.read(to.data() + 2 * tray, 10), 10);
  EXPECT_FALSE(reader.has_emptied_tray());
  EXPECT_TRUE(reader.is_amid_parts());
  reader.end();
  EXPECT_FALSE(reader.is_amid_parts());
  EXPECT_EQ(to, sending.message);
}

}  // namespace
}  // namespace rondo::internal
