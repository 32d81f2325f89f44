// Messages of all lengths from one process to another: what is in a slot, in a tray, in the ring, and in
// parts.

#include "varying/slot_reader.hpp"
#include "varying/slot_writer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>
#include <vector>

#include "varying/arena.hpp"

namespace rondo::internal {
namespace {

// Lengths are for cache lines of 64 bytes; where these are longer, so is what a slot holds.
constexpr std::int64_t scale = cache_line / 64;
constexpr SlotPlaces places = SlotPlaces::within(4096 * scale);
constexpr std::int64_t longest_short = SlotPlaces::slot_bytes - 8;
constexpr std::int64_t least_by_tray = std::max(Trays::least, longest_short + 1);
constexpr std::int64_t by_tray = 400 * scale;

std::vector<std::byte> message_of(std::int64_t bytes, int first) {
  std::vector<std::byte> message(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return message;
}

// A message on its way from a writer to a reader; `heard` is the writer's reader of the other direction.
struct Way {
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(message.size()); }
  void go_on() {
    is_sent = is_sent || writer.write(bytes(), heard, [&](std::byte *to, std::int64_t part) {
      std::copy_n(message.data() + written, part, to);
      written += part;
    });
  }
  void take() {
    is_there = is_there || reader.arrived();
    if (!is_there || is_taken) return;
    read += reader.read(come.data() + read, bytes() - read);
    if (read < bytes()) return;
    reader.end();
    is_taken = true;
  }

  SlotWriter &writer;
  SlotReader &reader;
  const SlotReader &heard;
  std::vector<std::byte> message;
  std::vector<std::byte> come = std::vector<std::byte>(message.size());
  std::int64_t written = 0;
  std::int64_t read = 0;
  bool is_sent = false;
  bool is_there = false;
  bool is_taken = false;
};

// All go on, by turns, until they have come.
template <class... Ways>
testing::AssertionResult comes(Ways &...ways) {
  for (int looks = 0; looks < 100000 && !(ways.is_taken && ...); ++looks) {
    (ways.go_on(), ...);
    (ways.take(), ...);
  }
  if (!(ways.is_taken && ...)) return testing::AssertionFailure() << "nothing moves any more";
  return ((ways.come == ways.message) && ...) ? testing::AssertionSuccess()
                                              : testing::AssertionFailure() << "other data comes";
}

// Both directions between two processes, of which the second sends nothing unless a test has it do so.
class Slots : public testing::Test {
 protected:
  // The writing of one message, bit by bit.
  struct Sending {
    std::vector<std::byte> message;
    std::size_t done = 0;
  };
  static bool go_on(SlotWriter &writer, const SlotReader &back, Sending &sending) {
    return writer.write(static_cast<std::int64_t>(sending.message.size()), back, [&](std::byte *to, std::int64_t part) {
      std::copy_n(sending.message.data() + sending.done, part, to);
      sending.done += static_cast<std::size_t>(part);
    });
  }
  bool send(std::int64_t bytes) {
    Sending sending{message_of(bytes, sent++)};
    return go_on(writer, back, sending);
  }
  // Whether the next message is there, as a whole, and what was sent.
  bool receive() {
    if (!reader.arrived()) return false;
    std::vector<std::byte> to(static_cast<std::size_t>(reader.bytes()));
    if (reader.read(to.data(), reader.bytes()) < reader.bytes()) return false;
    reader.end();
    return to == message_of(static_cast<std::int64_t>(to.size()), received++);
  }

  bool answer(std::int64_t bytes) {
    Sending sending{message_of(bytes, 1)};
    return go_on(answers, reader, sending);
  }
  bool take_answer() {
    if (!back.arrived()) return false;
    std::vector<std::byte> to(static_cast<std::size_t>(back.bytes()));
    return back.read_whole(to.data(), back.bytes()) == Whole::taken;
  }
  // Where the next message lies, which is there.
  const std::byte *place_of_next() { return reader.arrived() ? reader.rest().data() : nullptr; }
  const std::byte *place_of_next_answer() { return back.arrived() ? back.rest().data() : nullptr; }

  struct Memory {
    Memory() : bytes(places.bytes()) { SlotEnd::clear(bytes.data(), places); }
    RawMemory bytes;
  };
  Memory there;
  Memory again;
  const SlotMemory memory_there = places.in(there.bytes.data());
  const SlotMemory memory_back = places.in(again.bytes.data());
  Trays trays{memory_there, memory_back, places};
  Trays trays_of_other{memory_back, memory_there, places};
  SlotWriter writer{memory_there, places, trays};
  SlotReader reader{memory_there, places, trays_of_other};
  SlotWriter answers{memory_back, places, trays_of_other};
  SlotReader back{memory_back, places, trays};
  int sent = 0;
  int received = 0;
};

TEST(ToldCount, IsNeverMoreThanTheCount) {
  ToldCount told;
  std::uint64_t count = 0;
  std::mt19937_64 random(7);
  for (int telling = 0; telling < 10000; ++telling) {
    count += random() >> (30 + random() % 34);  // by up to 2^34 since the last one
    told.hear(static_cast<std::uint32_t>(count));
    ASSERT_LE(told.known(), count);
  }
}

// The last 32 bits of a count that is told no more look later than those of one that has gone on for long.
TEST(ToldCount, IsAsItWasToldAtLast) {
  ToldCount told;
  std::uint64_t count = 0;
  for (int telling = 0; telling < 10; ++telling) {
    count += 0x7fffffff;
    told.hear(static_cast<std::uint32_t>(count));
    EXPECT_EQ(told.known(), count);
    told.hear(static_cast<std::uint32_t>(count));
    EXPECT_EQ(told.known(), count);
  }
}

TEST_F(Slots, TakeAtMostTheMemoryThatTheyAreGiven) {
  for (const std::int64_t bytes :
       {SlotPlaces::least_bytes, std::int64_t{2048}, std::int64_t{4096}, std::int64_t{65536}, std::int64_t{200000}}) {
    EXPECT_LE(SlotPlaces::within(bytes * scale).bytes(), bytes * scale);
    EXPECT_GE(SlotPlaces::within(bytes * scale).bytes(), bytes * scale / 2);
  }
}

TEST_F(Slots, GiveAMessageAsAWholeIfItIsTheExpectedOne) {
  const std::int64_t part = places.part_bytes();
  std::vector<std::byte> to(static_cast<std::size_t>(2 * part));
  EXPECT_EQ(reader.read_whole(to.data(), 0), Whole::not_there);
  for (const std::int64_t bytes :
       {std::int64_t{0}, std::int64_t{1}, longest_short, longest_short + 1, least_by_tray, part}) {
    EXPECT_TRUE(send(bytes));
    EXPECT_EQ(reader.read_whole(to.data(), bytes + 1), Whole::another) << bytes;
    EXPECT_EQ(reader.read_whole(to.data(), bytes), Whole::taken) << bytes;
    const std::vector<std::byte> expected = message_of(bytes, received++);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to.begin())) << bytes;
  }

  Way in_parts{writer, reader, back, message_of(2 * part, 1)};
  in_parts.go_on();
  EXPECT_EQ(reader.read_whole(to.data(), 2 * part), Whole::another);
  EXPECT_TRUE(comes(in_parts));
}

TEST(MarkedSlots, TellWhatAMessageBelongsTo) {
  RawMemory memory(2 * places.bytes());
  const std::array ways{places.in(memory.data()), places.in(memory.data() + places.bytes())};
  for (const SlotMemory &way : ways) SlotEnd::clear(way.slots, places);
  Trays trays(ways[0], ways[1], places);
  Trays trays_of_other(ways[1], ways[0], places);
  std::uint64_t mark = 1;
  std::uint64_t mark_of_other = 1;
  SlotWriter writer(ways[0], places, trays, &mark);
  SlotReader back(ways[1], places, trays, &mark);
  SlotReader reader(ways[0], places, trays_of_other, &mark_of_other);
  std::vector<std::byte> to(static_cast<std::size_t>(by_tray));
  for (const std::int64_t bytes : {by_tray, std::int64_t{0}, std::int64_t{48}, longest_short - 8, longest_short}) {
    const std::vector<std::byte> message = message_of(bytes, 1);
    ++mark;
    ASSERT_TRUE(writer.write_whole({message.data(), bytes}, back));
    EXPECT_EQ(reader.read_whole(to.data(), bytes), Whole::another) << bytes;
    EXPECT_TRUE(reader.has_later_mark());
    mark_of_other = mark + 1;
    EXPECT_EQ(reader.read_whole(to.data(), bytes), Whole::another) << bytes;
    EXPECT_TRUE(reader.has_other_mark());
    EXPECT_FALSE(reader.has_later_mark());
    mark_of_other = mark;
    EXPECT_EQ(reader.read_whole(to.data(), bytes), Whole::taken) << bytes;
    EXPECT_TRUE(std::equal(message.begin(), message.end(), to.begin())) << bytes;
  }
}

TEST_F(Slots, BringMessagesOfEachLength) {
  const std::int64_t part = places.part_bytes();
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, longest_short, longest_short + 1, least_by_tray,
                                   part - 1, part, part + 1, 2 * part, 2 * part + 1, 9 * part + longest_short}) {
    Way way{writer, reader, back, message_of(bytes, 1)};
    EXPECT_TRUE(comes(way)) << bytes;
  }
}

TEST_F(Slots, HaveRoomForAsManyShortMessagesAsThereAreSlots) {
  for (std::int64_t i = 0; i < places.slots; ++i) EXPECT_TRUE(send(8));
  EXPECT_FALSE(send(8));
  --sent;

  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(8));
  EXPECT_FALSE(send(8));
}

TEST_F(Slots, WaitForThePlaceOfWhatHasNotBeenTaken) {
  Sending most{message_of(places.ring_bytes, sent++)};
  EXPECT_TRUE(go_on(writer, back, most)) << "by the tray";
  EXPECT_TRUE(send(places.part_bytes()));
  EXPECT_TRUE(send(places.part_bytes())) << "the ring is full";
  EXPECT_FALSE(send(by_tray));
  --sent;

  EXPECT_TRUE(receive());
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(by_tray));
  EXPECT_TRUE(receive());
}

TEST_F(Slots, UseTheBeginningOfTheRingAgainOnceItIsFree) {
  EXPECT_TRUE(send(by_tray));  // by the only tray
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(by_tray));
  const std::byte *const first = place_of_next();
  EXPECT_TRUE(receive());
  EXPECT_TRUE(answer(0));
  EXPECT_TRUE(take_answer()) << "it tells what has been taken";

  EXPECT_TRUE(send(by_tray + 100));
  EXPECT_EQ(place_of_next(), first);
}

TEST_F(Slots, SendTraysBackAndForth) {
  const std::byte *const own = memory_there.data;
  const std::byte *const of_other = memory_back.data;
  EXPECT_TRUE(send(by_tray));
  EXPECT_TRUE(answer(places.tray_bytes));
  EXPECT_EQ(place_of_next(), own);
  EXPECT_EQ(place_of_next_answer(), of_other);
  EXPECT_TRUE(receive());
  EXPECT_TRUE(take_answer());

  EXPECT_TRUE(send(by_tray + 100));
  EXPECT_TRUE(answer(least_by_tray));
  EXPECT_EQ(place_of_next(), of_other);
  EXPECT_EQ(place_of_next_answer(), own);
}

TEST_F(Slots, UseTheTrayThatHasComeLastFirst) {
  EXPECT_TRUE(answer(by_tray));
  EXPECT_TRUE(take_answer());

  EXPECT_TRUE(send(by_tray));
  EXPECT_EQ(place_of_next(), memory_back.data);
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(by_tray));
  EXPECT_EQ(place_of_next(), memory_there.data);
}

TEST_F(Slots, UseTheRingWhereThereIsNoTray) {
  const std::byte *const ring = memory_there.data + places.tray_bytes;
  EXPECT_TRUE(send(by_tray));
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(by_tray));
  EXPECT_EQ(place_of_next(), ring);
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(383)) << "what is short needs none";
  EXPECT_TRUE(receive());

  for (int messages = 0; messages < 2; ++messages) {
    EXPECT_TRUE(answer(by_tray));
    EXPECT_TRUE(take_answer());
  }
  EXPECT_TRUE(send(by_tray));
  EXPECT_EQ(place_of_next(), memory_back.data) << "both trays have come";
}

// Both ends, which may wait for trays.
class SlotsThatWait : public Slots {
 protected:
  explicit SlotsThatWait(std::chrono::microseconds longest = TrayWait::usual)
      : waiting(memory_there, places, trays, nullptr, longest),
        answers_waiting(memory_back, places, trays_of_other, nullptr, longest) {}

  SlotWriter waiting;
  SlotWriter answers_waiting;

  testing::AssertionResult exchange(std::int64_t bytes, std::int64_t answer_bytes) {
    Way one{waiting, reader, back, message_of(bytes, 1)};
    Way other{answers_waiting, back, reader, message_of(answer_bytes, 2)};
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
    EXPECT_EQ(go_on(waiting, back, sending), part == 2);
    EXPECT_EQ(go_on(answers_waiting, reader, answering), part == 2);
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
  while (!go_on(waiting, back, sending)) EXPECT_EQ(sending.done, places.tray_bytes) << "for 20 microseconds it waits";
  EXPECT_EQ(sending.done, sending.message.size());
}

// As where one rank sends, and the other answers once it has all.
TEST_F(SlotsThatWaitLong, DoNotWaitWhereLongMessagesGoByTurns) {
  const std::int64_t bytes = 3 * places.tray_bytes;
  const auto goes = [&](SlotWriter &to, SlotReader &from, const SlotReader &heard) {
    Way way{to, from, heard, message_of(bytes, 1)};
    return comes(way);
  };
  for (int turns = 0; turns < 4; ++turns) {
    ASSERT_TRUE(goes(waiting, reader, back));
    ASSERT_TRUE(goes(answers_waiting, back, reader));
  }
  Sending sending{message_of(places.tray_bytes + places.part_bytes(), 1)};
  EXPECT_TRUE(go_on(waiting, back, sending));
}

// Two bytes less, and two slots more.
TEST_F(Slots, SayThatTheyHaveMovedWhereAMessageOfTwoPartsEnds) {
  ASSERT_TRUE(send(by_tray));
  ASSERT_TRUE(receive()) << "the tray is away";
  const std::int64_t bytes = 2 * places.part_bytes();
  ASSERT_TRUE(send(bytes));
  std::vector<std::byte> to(static_cast<std::size_t>(bytes));
  ASSERT_TRUE(reader.arrived());
  ASSERT_EQ(reader.read(to.data(), 2), 2);
  const std::uint64_t before = reader.moved();
  ASSERT_EQ(reader.read(to.data(), bytes), bytes - 2);
  reader.end();
  EXPECT_NE(reader.moved(), before);
}

TEST_F(SlotsThatWait, ReadOnlyWhatIsInATrayBeforeTheyFillIt) {
  ASSERT_TRUE(exchange(1, by_tray)) << "two trays are here then";
  const std::int64_t tray = places.tray_bytes;
  Sending sending{message_of(2 * tray + 10, 0)};
  std::vector<std::byte> to(sending.message.size());
  EXPECT_TRUE(go_on(waiting, back, sending)) << "by both trays and the ring";
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

// Many messages of all lengths both ways, of which neither end knows when the other comes. The second sends now and
// then only, so that room is found by what it tells as well as by what its line says.
TEST_F(Slots, BringMessagesBothWaysBetweenTwoThreads) {
  constexpr int messages = 4000;
  const auto length = [](int number) {
    std::mt19937 random(static_cast<unsigned>(number));
    const std::int64_t most = (number / 50 % 3 == 0)   ? 120
                              : (number / 50 % 3 == 1) ? 700 * scale
                                                       : 3 * places.ring_bytes;
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
  };
  const auto run = [&](SlotWriter &out, SlotReader &in, int sends, int receives) {
    int wrong = 0;
    int next = 0;
    Sending sending;
    std::vector<std::byte> to;
    std::size_t got = 0;
    bool arrived = false;
    for (int done = 0; next < sends || done < receives;) {
      if (next < sends) {
        if (sending.message.empty()) sending = {message_of(length(next) + 1, next)};
        if (go_on(out, in, sending)) {
          sending = {};
          ++next;
        }
      }
      if (done < receives && (arrived || in.arrived())) {
        if (!arrived) to.assign(static_cast<std::size_t>(in.bytes()), std::byte{});
        arrived = true;
        got += static_cast<std::size_t>(
            in.read(to.data() + got, static_cast<std::int64_t>(to.size()) - static_cast<std::int64_t>(got)));
        if (got == to.size()) {
          in.end();
          wrong += to == message_of(length(done) + 1, done) ? 0 : 1;
          got = 0;
          arrived = false;
          ++done;
        }
      }
      if (next % 7 == 0) std::this_thread::yield();
    }
    return wrong;
  };
  for (const int answered : {0, messages / 9, messages}) {
    Memory one;
    Memory other;
    int wrong_there = 0;
    std::jthread second([&] {
      Trays of_second(places.in(other.bytes.data()), places.in(one.bytes.data()), places);
      SlotWriter out(places.in(other.bytes.data()), places, of_second, nullptr, TrayWait::usual);
      SlotReader in(places.in(one.bytes.data()), places, of_second);
      wrong_there = run(out, in, answered, messages);
    });
    Trays of_first(places.in(one.bytes.data()), places.in(other.bytes.data()), places);
    SlotWriter out(places.in(one.bytes.data()), places, of_first, nullptr, TrayWait::usual);
    SlotReader in(places.in(other.bytes.data()), places, of_first);
    EXPECT_EQ(run(out, in, messages, answered), 0);
    second.join();
    EXPECT_EQ(wrong_there, 0);
  }
}

}  // namespace
}  // namespace rondo::internal
