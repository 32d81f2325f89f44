// What is left of something that has failed is nothing to what comes later: messages have marks.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "varying/raw_memory.hpp"
#include "varying/slot_link.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t short_block = 40;
constexpr std::int64_t block_in_ring = 2000;
constexpr std::int64_t block_in_parts = 100000;

// Two ends in this process, each with its own mark.
class MarkedLinks : public testing::TestWithParam<std::int64_t> {
 protected:
  struct Block {
    explicit Block(std::int64_t bytes, int first = 0) : data(static_cast<std::size_t>(bytes)), length(bytes) {
      for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(first + static_cast<int>(i));
      pieces[0] = {reinterpret_cast<const std::byte *>(&length), sizeof(length)};
      pieces[1] = {data.data(), length};
      message = Outgoing(pieces, length);
    }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;

    std::vector<std::byte> data;
    std::int64_t length;
    BlockData pieces[2];
    Outgoing message;
  };

  MarkedLinks() {
    for (RawMemory *memory : {&there, &back}) SlotEnd::clear(memory->data(), places);
  }

  // Both go on with a block until it is there, or until nothing moves any more.
  testing::AssertionResult arrives(Block &block) {
    std::vector<std::byte> received(block.data.size());
    bool sent = false;
    bool found = false;
    bool taken = false;
    for (int looks = 0; looks < 1000 && !(sent && taken); ++looks) {
      sent = sent || sender.send(block.message);
      std::int64_t bytes = 0;
      found = found || receiver.arrived({&bytes, 1});
      if (!found) continue;
      if (bytes != 0 && bytes != block.length) return testing::AssertionFailure() << bytes << " bytes arrive";
      taken = taken || receiver.take(received.data(), block.length);
    }
    if (!sent || !taken) return testing::AssertionFailure() << (sent ? "nothing arrives" : "it is not sent");
    return received == block.data ? testing::AssertionSuccess() : testing::AssertionFailure() << "other data arrives";
  }

  [[nodiscard]] SlotPeer peer(int rank) { return {rank, &bell, getpid(), 400000}; }

  SlotPlaces places = SlotPlaces::within(32768);
  RawMemory there{places.bytes()};
  RawMemory back{places.bytes()};
  Bell bell;
  std::uint64_t senders = 0;
  std::uint64_t receivers = 0;
  SlotLink sender{places.in(there.data()), places.in(back.data()), places, peer(1), Metadata::joined, &senders};
  SlotLink receiver{places.in(back.data()), places.in(there.data()), places, peer(0), Metadata::joined, &receivers};
};

TEST_P(MarkedLinks, PassOverWhatWasNotTaken) {
  Block left(GetParam());
  bool sent = sender.send(left.message);
  for (int calls = 0; calls < 2; ++calls) {
    ++senders;
    ++receivers;
  }
  // The sender may still be at it, if the receiver has failed and gone on.
  std::int64_t bytes = 0;
  for (int looks = 0; looks < 100 && !sent; ++looks) {
    EXPECT_FALSE(receiver.arrived({&bytes, 1}));
    sent = sender.send(left.message);
  }
  ASSERT_TRUE(sent);
  EXPECT_FALSE(receiver.arrived({&bytes, 1}));
  EXPECT_FALSE(receiver.was_ahead());
  for (const std::int64_t length : {short_block, block_in_ring, block_in_parts}) {
    Block next(length, 3);
    EXPECT_TRUE(arrives(next));
  }
}

TEST_P(MarkedLinks, SayThatAnExpectedMessageWillNotCome) {
  ++receivers;
  ++senders;
  ++senders;
  Block later(GetParam());
  bool sent = sender.send(later.message);
  std::int64_t bytes = 0;
  EXPECT_FALSE(receiver.arrived({&bytes, 1}));
  EXPECT_TRUE(receiver.was_ahead());
  EXPECT_FALSE(receiver.was_ahead()) << "it is told once";
  ++receivers;
  std::vector<std::byte> received(later.data.size());
  bool taken = false;
  ASSERT_TRUE(receiver.arrived({&bytes, 1}));
  for (int looks = 0; looks < 1000 && !(sent && taken); ++looks) {
    taken = taken || receiver.take(received.data(), later.length);
    sent = sent || sender.send(later.message);
  }
  EXPECT_EQ(received, later.data);
  EXPECT_FALSE(receiver.was_ahead());
}

INSTANTIATE_TEST_SUITE_P(Lengths, MarkedLinks,
                         testing::Values(short_block, block_in_ring, block_in_parts, std::int64_t{500000}));

}  // namespace
}  // namespace rondo::internal
