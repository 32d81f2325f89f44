// Memory in which a process builds what others read where it lies: it grows where it is, has three turns, and others
// find what is in it.

#include "varying/send_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "varying/peer_memory.hpp"
#include "wire/make_pages.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t place_bytes = 2 * SendMemory::granule;

class SendMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!makes_pages_on_request()) GTEST_SKIP() << "this kernel makes no pages on request";
  }
  SendMemory memory{4, {0, 1, 2}, place_bytes};
};

TEST_F(SendMemoryTest, GrowsWhereItIs) {
  std::byte *const first = memory.take(1, 10);
  std::memcpy(first, "ten bytes", 10);

  std::byte *const grown = memory.take(1, place_bytes);

  EXPECT_EQ(grown, first);
  EXPECT_STREQ(reinterpret_cast<const char *>(grown), "ten bytes");
  EXPECT_EQ(memory.take(1, 1), first) << "less than there is";
  grown[place_bytes - 1] = std::byte{1};
}

TEST_F(SendMemoryTest, HasThreeTurnsForEachRank) {
  std::set<std::byte *> places;
  for (int start = 0; start < 6; ++start) {
    for (int rank = 0; rank < 3; ++rank) {
      std::byte *const place = memory.take(rank, 5000);
      std::memset(place, start, 5000);
      places.insert(place);
    }
    memory.begin_start();
  }

  EXPECT_EQ(places.size(), 9U);
}

TEST_F(SendMemoryTest, HasTheBlockOfTheStartUnderWayForItsRank) {
  const BlockData block{memory.take(1, 5000), 5000};
  EXPECT_FALSE(memory.has(1, block)) << "before the start";

  memory.begin_start();

  EXPECT_TRUE(memory.has(1, block));
  EXPECT_TRUE(memory.has(1, {block.data + 128, 4872}));
  EXPECT_FALSE(memory.has(1, {block.data + 100, 4900})) << "at no cache line";
  EXPECT_FALSE(memory.has(0, block));
  EXPECT_FALSE(memory.has(1, {block.data, place_bytes})) << "longer than what is there";
  const std::byte elsewhere{};
  EXPECT_FALSE(memory.has(1, {&elsewhere, 1}));
  EXPECT_FALSE(memory.has(1, {nullptr, 0}));
  memory.begin_start();
  EXPECT_FALSE(memory.has(1, block)) << "of an earlier start";
}

TEST_F(SendMemoryTest, ShowsOthersWhatIsInIt) {
  PeerMemory peer;
  for (int start = 0; start < 5; ++start) {
    const std::int64_t bytes = 5000 + 10'000 * start;
    auto *const place = memory.take(2, bytes);
    std::memset(place, 'a' + start, static_cast<std::size_t>(bytes));
    memory.begin_start();

    const std::byte *const found = peer.find(memory.shared(2, {place + 64, bytes - 64}));

    EXPECT_NE(found, place + 64);
    EXPECT_EQ(std::memcmp(found, place + 64, static_cast<std::size_t>(bytes - 64)), 0);
  }
}

TEST_F(SendMemoryTest, IsNotFoundInAFileThatIsNotTheOthers) {
  const BlockData block{memory.take(2, 5000), 5000};
  memory.begin_start();
  SharedBlock shared = memory.shared(2, block);
  PeerMemory peer;
  ++shared.file.cookie;
  EXPECT_EQ(peer.find(shared), nullptr);
  shared.file.descriptor = 1'000'000;
  EXPECT_EQ(peer.find(shared), nullptr);
  shared = memory.shared(2, block);
  shared.bytes = std::int64_t{1} << 60;
  EXPECT_EQ(peer.find(shared), nullptr) << "too long to be mapped";
  EXPECT_NE(peer.find(memory.shared(2, block)), nullptr);
}

TEST_F(SendMemoryTest, LiesElsewhereWhereItIsTooLong) {
  std::byte *const first = memory.take(0, 100);
  std::memcpy(first, "stays", 6);

  std::byte *const longer = memory.take(0, place_bytes + 1);

  EXPECT_NE(longer, first);
  EXPECT_STREQ(reinterpret_cast<const char *>(longer), "stays");
  longer[place_bytes] = std::byte{1};
  EXPECT_EQ(memory.take(0, 50), longer) << "a block is in one place";
  memory.begin_start();
  EXPECT_FALSE(memory.has(0, {longer, place_bytes + 1}));
}

TEST_F(SendMemoryTest, IsOrdinaryForRanksThatCannotMapIt) {
  std::byte *const place = memory.take(3, 5000);
  place[4999] = std::byte{1};
  memory.begin_start();

  EXPECT_FALSE(memory.has(3, {place, 5000}));
  EXPECT_TRUE(memory.lasts(3, {place, 5000}));
}

// As where processes cannot map each other's memory.
TEST(OrdinarySendMemory, ServesAsWell) {
  SendMemory memory(2, {});
  for (int start = 0; start < 5; ++start) {
    std::byte *place = memory.take(1, 8);
    std::memcpy(place, "eight by", 8);
    for (const std::int64_t bytes : {9, 1000, 1'000'000}) {
      place = memory.take(1, bytes);
      EXPECT_EQ(std::memcmp(place, "eight by", 8), 0);
      place[bytes - 1] = std::byte{1};
      std::memcpy(place, "eight by", 8);
    }
    memory.begin_start();
    EXPECT_FALSE(memory.has(1, {place, 8}));
    EXPECT_TRUE(memory.lasts(1, {place, 8}));
    EXPECT_FALSE(memory.lasts(0, {place, 8}));
    EXPECT_FALSE(memory.lasts(0, {nullptr, 0}));
  }
}

TEST(OrdinarySendMemory, OfNoBytesIsSomewhere) {
  EXPECT_NE(SendMemory(1, {}).take(0, 0), nullptr);
}

}  // namespace
}  // namespace rondo::internal
