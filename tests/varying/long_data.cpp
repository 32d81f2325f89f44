// Data that is read from where it lies is read bit by bit, and both ends see that they get on.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "exchange/error.hpp"
#include "varying/raw_memory.hpp"
#include "varying/slot_link.hpp"

namespace rondo::internal {
namespace {

// Two ends in this process.
struct Ends {
  explicit Ends(std::int64_t link_bytes = 32768, std::int64_t least_read_bytes = 1000)
      : places(SlotPlaces::within(link_bytes)), least_read(least_read_bytes) {
    for (RawMemory *memory : {&there, &back}) SlotEnd::clear(memory->data(), places);
  }
  [[nodiscard]] SlotPeer peer(int rank) { return {rank, &bell, getpid(), least_read}; }

  SlotPlaces places;
  std::int64_t least_read;
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

// A list of places that is too long for a slot needs the ring, where another message still passes, as the tray is away.
TEST(LongData, WaitsForRoomForItsPlaces) {
  constexpr std::int64_t blocks = 14;
  constexpr std::int64_t list_bytes = blocks * static_cast<std::int64_t>(sizeof(std::int64_t) + sizeof(BlockData));
  if (list_bytes <= SlotPlaces::slot_bytes) GTEST_SKIP() << "a slot holds it";
  constexpr std::int64_t block_bytes = 20'000;
  Ends ends(274'560, 150'000);
  ASSERT_GT(ends.places.tray_bytes, 400);
  std::vector<std::byte> data(blocks * block_bytes, std::byte{7});
  std::vector<std::byte> received(data.size());
  const auto one_block = [&](std::int64_t &bytes, std::array<BlockData, 2> &pieces) {
    pieces = {BlockData{reinterpret_cast<const std::byte *>(&bytes), sizeof(bytes)}, BlockData{data.data(), bytes}};
    return Outgoing(pieces, bytes);
  };
  std::array<std::int64_t, 2> lengths{400, ends.places.ring_bytes - 64};
  std::array<std::array<BlockData, 2>, 2> pieces;
  Outgoing by_tray = one_block(lengths[0], pieces[0]);
  Outgoing in_parts = one_block(lengths[1], pieces[1]);
  std::vector<std::int64_t> head(blocks, block_bytes);
  std::vector<BlockData> long_pieces{{reinterpret_cast<const std::byte *>(head.data()), blocks * sizeof(std::int64_t)}};
  for (std::int64_t i = 0; i < blocks; ++i) long_pieces.push_back({data.data() + i * block_bytes, block_bytes});
  Outgoing long_data(long_pieces, blocks * block_bytes);

  ASSERT_TRUE(ends.sender.send(by_tray));
  ASSERT_TRUE(ends.sender.send(in_parts)) << "as the tray is away";
  EXPECT_FALSE(ends.sender.send(long_data));

  std::int64_t length = 0;
  for (const std::int64_t bytes : {lengths[0], lengths[1]}) {
    ASSERT_TRUE(ends.receiver.arrived({&length, 1}));
    ASSERT_EQ(length, bytes);
    ASSERT_TRUE(ends.receiver.take(received.data(), length));
    EXPECT_FALSE(ends.sender.send(long_data)) << "nobody has read it";
  }
  std::vector<std::int64_t> told(blocks);
  ASSERT_TRUE(ends.receiver.arrived(told));
  EXPECT_EQ(told, head);
  ASSERT_TRUE(ends.receiver.take(received.data(), blocks * block_bytes));
  EXPECT_EQ(received, data);
  EXPECT_TRUE(ends.sender.send(long_data));
}

// However long the data is, and so however it comes: within the slot, in a tray, in the ring, in parts, or read from
// where it lies.
class DataForRuns : public testing::TestWithParam<std::int64_t> {};

TEST_P(DataForRuns, IsTakenToThem) {
  const std::int64_t bytes = GetParam();
  const std::vector<Extent> runs{{40, 7}, {0, 16}, {60, 41}};  // of elements of 64 bytes each 128 bytes
  const std::int64_t elements = (bytes + 63) / 64;
  std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 7 + (i >> 12));
  std::vector<std::byte> received(static_cast<std::size_t>(elements * 128), std::byte{0xEE});
  std::vector<std::byte> expected = received;
  RunWalk(expected.data(), runs, 128).fill(data.data(), bytes);
  Ends ends(32768, 3'000'000);
  const BlockData pieces[] = {{reinterpret_cast<const std::byte *>(&bytes), sizeof(bytes)}, {data.data(), bytes}};
  Outgoing message(pieces, bytes);
  RunWalk walk(received.data(), runs, 128);

  bool sent = ends.sender.send(message);
  std::int64_t told = 0;
  ASSERT_TRUE(ends.receiver.arrived({&told, 1}));
  ASSERT_EQ(told, bytes);
  while (!ends.receiver.take_runs(walk, bytes)) sent = sent || ends.sender.send(message);

  EXPECT_TRUE(sent || ends.sender.send(message));
  EXPECT_EQ(received, expected);
}

INSTANTIATE_TEST_SUITE_P(Bytes, DataForRuns, testing::Values(1, 50, 170, 1000, 9000, 100'000, 5'000'003));

}  // namespace
}  // namespace rondo::internal
