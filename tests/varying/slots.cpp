// Messages of all lengths from one process to another: what is in a slot, in the ring as a whole, and in cuts.

#include "varying/slots.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "varying/arena.hpp"

namespace rondo::internal {
namespace {

constexpr SlotPlaces places = SlotPlaces::within(4096);

std::vector<std::byte> message_of(std::int64_t bytes, int first) {
  std::vector<std::byte> message(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return message;
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

  struct Memory {
    Memory() : bytes(places.bytes()) { SlotEnd::clear(bytes.data(), places); }
    RawMemory bytes;
  };
  Memory there;
  Memory again;
  SlotWriter writer{places.in(there.bytes.data()), places};
  SlotReader reader{places.in(there.bytes.data()), places};
  SlotWriter answers{places.in(again.bytes.data()), places};
  SlotReader back{places.in(again.bytes.data()), places};
  int sent = 0;
  int received = 0;
};

TEST_F(Slots, TakeAtMostTheMemoryThatTheyAreGiven) {
  for (const std::int64_t bytes : {1024, 2048, 4096, 65536, 200000}) {
    EXPECT_LE(SlotPlaces::within(bytes).bytes(), bytes);
    EXPECT_GE(SlotPlaces::within(bytes).bytes(), bytes / 2);
  }
}

TEST_F(Slots, GiveAMessageAsAWholeIfItIsTheExpectedOne) {
  const std::int64_t cut = places.cut_bytes();
  std::vector<std::byte> to(static_cast<std::size_t>(2 * cut));
  EXPECT_EQ(reader.read_whole(to.data(), 0, unmarked), Whole::not_there);
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, std::int64_t{168}, std::int64_t{169}, cut}) {
    EXPECT_TRUE(send(bytes));
    EXPECT_EQ(reader.read_whole(to.data(), bytes + 1, unmarked), Whole::another) << bytes;
    EXPECT_EQ(reader.read_whole(to.data(), bytes, unmarked + 1), Whole::another) << bytes;
    EXPECT_EQ(reader.read_whole(to.data(), bytes, unmarked), Whole::taken) << bytes;
    const std::vector<std::byte> expected = message_of(bytes, received++);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to.begin())) << bytes;
  }

  EXPECT_TRUE(send(cut + 1));
  EXPECT_EQ(reader.read_whole(to.data(), cut + 1, unmarked), Whole::another);
  EXPECT_TRUE(receive());
}

TEST_F(Slots, BringMessagesOfEachLength) {
  const std::int64_t cut = places.cut_bytes();
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, std::int64_t{104}, std::int64_t{168},
                                   std::int64_t{169}, cut - 1, cut, cut + 1, 3 * cut, places.ring_bytes}) {
    EXPECT_TRUE(send(bytes)) << bytes;
    EXPECT_TRUE(receive()) << bytes;
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
  EXPECT_TRUE(go_on(writer, back, most));
  EXPECT_FALSE(send(places.cut_bytes()));
  --sent;

  EXPECT_TRUE(receive());
  EXPECT_TRUE(send(places.cut_bytes()));
  EXPECT_TRUE(receive());
}

TEST_F(Slots, UseTheBeginningOfTheRingAgainOnceItIsFree) {
  EXPECT_TRUE(send(200));
  EXPECT_TRUE(reader.arrived());
  const std::byte *const first = reader.rest().data();
  EXPECT_TRUE(receive());
  EXPECT_TRUE(answers.write(0, reader, [](std::byte *, std::int64_t) {}));
  EXPECT_TRUE(back.arrived());

  EXPECT_TRUE(send(300));
  EXPECT_TRUE(reader.arrived());
  EXPECT_EQ(reader.rest().data(), first);
}

// Many messages of all lengths both ways, of which neither end knows when the other comes. The second sends now and
// then only, so that room is found by what it tells as well as by what its line says.
TEST_F(Slots, BringMessagesBothWaysBetweenTwoThreads) {
  constexpr int messages = 4000;
  const auto length = [](int number) {
    std::mt19937 random(static_cast<unsigned>(number));
    const std::int64_t most = (number / 50 % 3 == 0) ? 120 : (number / 50 % 3 == 1) ? 700 : 3 * places.ring_bytes;
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
      SlotWriter out(places.in(other.bytes.data()), places);
      SlotReader in(places.in(one.bytes.data()), places);
      wrong_there = run(out, in, answered, messages);
    });
    SlotWriter out(places.in(one.bytes.data()), places);
    SlotReader in(places.in(other.bytes.data()), places);
    EXPECT_EQ(run(out, in, messages, answered), 0);
    second.join();
    EXPECT_EQ(wrong_there, 0);
  }
}

}  // namespace
}  // namespace rondo::internal
