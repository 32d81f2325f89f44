// Exchanges in which every block goes straight to where it stays.

#include "varying/direct_exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "tests/plans/settings.hpp"
#include "varying/varying_exchange.hpp"
#include "varying/varying_route.hpp"

namespace rondo::internal {
namespace {

Route route_of(const char *algorithm, int rank, int ranks) {
  const Algorithm &found = *find_algorithm(algorithm);
  return varying_route(found, rank, {.ranks = ranks, .node_of = {}}, effective(found, {}, ranks));
}

TEST(Direct, IsThePartOfARankWhoseBlocksRestNowhere) {
  EXPECT_TRUE(is_direct(route_of("linear", 1, 4), {}));
  EXPECT_TRUE(is_direct(route_of("linear", 0, 1), {}));
  EXPECT_FALSE(is_direct(route_of("tuna", 1, 8), {}));
  EXPECT_FALSE(is_direct(route_of("linear", 1, 4), {Metadata::joined, false, true}));
}

// Brings a word of a head at each look, and then a block of 3 bytes; sends nothing before it is asked twice.
class Slow final : public Link {
 public:
  bool send(Outgoing &message) override {
    if (++sends_ < 2) return false;
    sent.resize(static_cast<std::size_t>(message.all_bytes()));
    message.write(sent.data(), message.all_bytes());
    return true;
  }
  void expect(std::size_t words) override { expected = words; }
  bool arrived(std::span<std::int64_t> head) override {
    head[words_] = words_ == 0 ? VaryingFigures{.bytes = 7, .time = 9}.word() : 3;
    return ++words_ == head.size();
  }
  bool take(std::byte *to, std::int64_t bytes) override {
    std::fill_n(to, bytes, std::byte{42});
    return true;
  }
  [[nodiscard]] std::uint64_t moved() const override { return words_; }

  std::size_t expected = 0;
  std::vector<std::byte> sent;

 private:
  int sends_ = 0;
  std::size_t words_ = 0;
};

TEST(Direct, ReadsAHeadThatComesBitByBit) {
  Slow link;
  const std::vector<Link *> links{nullptr, &link};
  VaryingMemory memory;
  const auto exchange = make_varying_exchange(route_of("linear", 0, 2), links, memory, {Metadata::joined, true, false});
  const std::vector<std::byte> data(5, std::byte{1});
  const std::vector<BlockData> blocks{{data.data(), 2}, {data.data(), 5}};

  exchange->start(blocks, {.bytes = 8, .time = 2});
  EXPECT_EQ(link.expected, 2U);
  std::set<int> missing;
  exchange->name_missing(missing);
  EXPECT_EQ(missing, std::set<int>{1});
  Looks once;
  int looks = 1;
  for (; !exchange->advance(once); ++looks) ASSERT_LT(looks, 10);

  EXPECT_EQ(looks, 2);
  EXPECT_EQ(exchange->figures(), (VaryingFigures{.bytes = 8, .time = 9}));
  const ReceivedBlocks &received = exchange->received();
  EXPECT_EQ(received.all_bytes, 5);
  EXPECT_EQ(received.bytes[1], 3);
  EXPECT_EQ(received.data[received.offsets[1]], std::byte{42});
  std::int64_t told[2];
  ASSERT_EQ(link.sent.size(), sizeof(told) + 5);
  std::memcpy(told, link.sent.data(), sizeof(told));
  EXPECT_EQ(told[0], (VaryingFigures{.bytes = 8, .time = 2}.word()));
  EXPECT_EQ(told[1], 5);
}

}  // namespace
}  // namespace rondo::internal
