// Messages of all lengths from one process to another: in a slot, in a tray, in the ring, and in parts.

#include "tests/varying/slots.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

namespace rondo::internal {
namespace {

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
       {SlotPlaces::least_bytes, std::int64_t{3000}, std::int64_t{4096}, std::int64_t{65536}, std::int64_t{200000}}) {
    EXPECT_LE(SlotPlaces::within(bytes * scale).bytes(), bytes * scale);
    EXPECT_GE(SlotPlaces::within(bytes * scale).bytes(), bytes * scale / 2);
    EXPECT_LE(SlotPlaces::within(bytes * scale, 4).slots, 4);
  }
  EXPECT_EQ(SlotPlaces::within(200000 * scale, 16).slots, 16);
}

TEST_F(Slots, GiveAMessageAsAWholeIfItIsTheExpectedOne) {
  const std::int64_t part = places.part_bytes();
  std::vector<std::byte> to(static_cast<std::size_t>(2 * part));
  EXPECT_EQ(read_whole(reader, to.data(), 0), Whole::not_there);
  for (const std::int64_t bytes :
       {std::int64_t{0}, std::int64_t{1}, longest_short, longest_short + 1, Trays::least, part}) {
    EXPECT_TRUE(send(bytes));
    EXPECT_EQ(read_whole(reader, to.data(), bytes + 1), Whole::another) << bytes;
    EXPECT_EQ(read_whole(reader, to.data(), bytes), Whole::taken) << bytes;
    const std::vector<std::byte> expected = message_of(bytes, received++);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to.begin())) << bytes;
  }

  Way in_parts{writer, reader, back, {message_of(2 * part, 1)}};
  in_parts.go_on();
  EXPECT_EQ(read_whole(reader, to.data(), 2 * part), Whole::another);
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
    EXPECT_EQ(read_whole(reader, to.data(), bytes), Whole::another) << bytes;
    EXPECT_TRUE(reader.has_later_mark());
    mark_of_other = mark + 1;
    EXPECT_EQ(read_whole(reader, to.data(), bytes), Whole::another) << bytes;
    EXPECT_TRUE(reader.has_other_mark());
    EXPECT_FALSE(reader.has_later_mark());
    mark_of_other = mark;
    EXPECT_EQ(read_whole(reader, to.data(), bytes), Whole::taken) << bytes;
    EXPECT_TRUE(std::equal(message.begin(), message.end(), to.begin())) << bytes;
  }
}

TEST_F(Slots, BringBlocksOfEachLengthThatASlotHolds) {
  std::vector<std::byte> to(static_cast<std::size_t>(longest_short));
  for (std::int64_t bytes = 0; bytes <= longest_short; ++bytes) {
    const std::vector<std::byte> block = message_of(bytes, static_cast<int>(bytes));
    ASSERT_TRUE(writer.write_whole({block.data(), bytes}, back));
    ASSERT_EQ(read_whole(reader, to.data(), bytes), Whole::taken) << bytes;
    EXPECT_TRUE(std::equal(block.begin(), block.end(), to.begin())) << bytes;
  }
}

TEST_F(Slots, BringMessagesOfEachLength) {
  const std::int64_t part = places.part_bytes();
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, longest_short, longest_short + 1, Trays::least,
                                   part - 1, part, part + 1, 2 * part, 2 * part + 1, 9 * part + longest_short}) {
    Way way{writer, reader, back, {message_of(bytes, 1)}};
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
  EXPECT_TRUE(most.go_on(writer, back)) << "by the tray";
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
  EXPECT_TRUE(answer(Trays::least));
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

TEST_F(Slots, PutWhatTheyHaveRoomForInATrayIfOneIsThere) {
  EXPECT_TRUE(send(Trays::least - 1));
  EXPECT_NE(place_of_next(), memory_there.data);
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(Trays::least));
  EXPECT_EQ(place_of_next(), memory_there.data);
  EXPECT_TRUE(receive());
}

TEST_F(Slots, UseTheRingWhereThereIsNoTray) {
  const std::byte *const ring = memory_there.data + places.tray_bytes;
  EXPECT_TRUE(send(by_tray));
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(by_tray));
  EXPECT_EQ(place_of_next(), ring);
  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(longest_short));
  EXPECT_NE(place_of_next(), ring) << "what fits into a slot needs none";
  EXPECT_TRUE(receive());

  for (int messages = 0; messages < 2; ++messages) {
    EXPECT_TRUE(answer(by_tray));
    EXPECT_TRUE(take_answer());
  }
  EXPECT_TRUE(send(by_tray));
  EXPECT_EQ(place_of_next(), memory_back.data) << "both trays have come";
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
    Receiving receiving;
    for (int done = 0; next < sends || done < receives;) {
      if (next < sends) {
        if (sending.message.empty()) sending = {message_of(length(next) + 1, next)};
        if (sending.go_on(out, in)) {
          sending = {};
          ++next;
        }
      }
      if (done < receives && receiving.go_on(in)) {
        wrong += receiving.message == message_of(length(done) + 1, done) ? 0 : 1;
        receiving = {};
        ++done;
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
