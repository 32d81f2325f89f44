// Data that is read from where it lies is read bit by bit, and both ends see that they get on.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "exchange/error.hpp"
#include "varying/arena.hpp"
#include "varying/slot_link.hpp"

namespace rondo::internal {
namespace {

// Two ends in this process.
struct Ends {
  Ends() {
    for (RawMemory *memory : {&there, &back}) SlotEnd::clear(memory->data(), places);
  }
  [[nodiscard]] SlotPeer peer(int rank) { return {rank, &bell, getpid(), 1000}; }

  SlotPlaces places = SlotPlaces::within(32768);
  RawMemory there{places.bytes()};
  RawMemory back{places.bytes()};
  Bell bell;
  SlotLink sender{places.in(there.data()), places.in(back.data()), places, peer(1), Metadata::joined};
  SlotLink receiver{places.in(back.data()), places.in(there.data()), places, peer(0), Metadata::joined};
};

TEST(LongData, IsReadBitByBit) {
  constexpr std::int64_t bytes = (std::int64_t{40} << 20) + 3;
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 7 + (i >> 12));
  Ends ends;
  std::int64_t head[] = {bytes / 3, bytes - bytes / 3};
  const BlockData pieces[] = {{reinterpret_cast<const std::byte *>(head), sizeof(head)},
                              {data.data(), head[0]},
                              {data.data() + head[0], head[1]}};
  Outgoing message(pieces, bytes);
  ASSERT_FALSE(ends.sender.send(message)) << "nobody has read it";
  std::int64_t told[2] = {};
  ASSERT_TRUE(ends.receiver.arrived(told));
  ASSERT_TRUE(std::equal(head, head + 2, told));

  std::vector<std::byte> received(data.size());
  int takes = 0;
  for (bool done = false; !done; ++takes) {
    const std::uint64_t sender_before = ends.sender.moved();
    const std::uint64_t receiver_before = ends.receiver.moved();
    EXPECT_FALSE(ends.sender.send(message));
    done = ends.receiver.take(received.data(), bytes);
    EXPECT_NE(ends.sender.moved(), sender_before);
    EXPECT_NE(ends.receiver.moved(), receiver_before);
  }

  EXPECT_EQ(takes, 3);
  EXPECT_EQ(received, data);
  EXPECT_TRUE(ends.sender.send(message));
}

TEST(LongData, OfASenderThatHasGivenUpIsNotDelivered) {
  std::vector<std::byte> data(100'000);
  Ends ends;
  std::int64_t head = static_cast<std::int64_t>(data.size());
  const BlockData pieces[] = {{reinterpret_cast<const std::byte *>(&head), sizeof(head)}, {data.data(), head}};
  Outgoing message(pieces, head);
  ASSERT_FALSE(ends.sender.send(message));
  ends.sender.withdraw();
  std::int64_t told = 0;
  ASSERT_TRUE(ends.receiver.arrived({&told, 1}));
  std::vector<std::byte> received(data.size());

  try {
    ends.receiver.take(received.data(), told);
    FAIL() << "it has been delivered";
  } catch (const Error &error) {
    EXPECT_EQ(error.fault, Fault::stalled);
    EXPECT_EQ(error.peer, 0);
  }
}

}  // namespace
}  // namespace rondo::internal
