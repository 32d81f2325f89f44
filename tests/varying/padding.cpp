// Algorithms that pad, where counts come with each start: the ranks first tell each other how long the largest block
// is, and then all messages of so many blocks are of one length.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/plans/settings.hpp"
#include "varying/varying_exchange.hpp"
#include "varying/varying_route.hpp"

namespace rondo::internal {
namespace {

const Algorithm &padded_bruck() {
  return *find_algorithm("padded_bruck");
}

std::vector<Route> padded_routes(int ranks) {
  std::vector<Route> routes;
  const Parameters parameters = effective(padded_bruck(), {}, ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    routes.push_back(varying_route(padded_bruck(), rank, {.ranks = ranks, .node_of = {}}, parameters));
  }
  return routes;
}

// Whom a rank has heard of when the messages without blocks are through.
TEST(Reduction, BringsEveryRankWordOfAllInLogarithmicallyManySteps) {
  for (int ranks = 2; ranks <= 70; ++ranks) {
    const std::vector<Route> routes = padded_routes(ranks);
    std::vector<std::set<int>> heard(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) heard[rank] = {rank};
    int steps = 0;
    for (; steps < routes[0].steps() && routes[0].sends.messages(steps).front().count == 0; ++steps) {
      const auto before = heard;
      for (int rank = 0; rank < ranks; ++rank) {
        const Message &message = routes[rank].receives.messages(steps).front();
        ASSERT_EQ(routes[message.peer].sends.messages(steps).front().peer, rank);
        heard[rank].insert(before[message.peer].begin(), before[message.peer].end());
      }
    }

    for (const auto &one : heard) EXPECT_EQ(one.size(), static_cast<std::size_t>(ranks));
    EXPECT_LT(1 << (steps - 1), ranks) << "more steps than are needed";
  }
}

// What a rank puts on its links, to none of which anybody listens.
class Watched final : public Link {
 public:
  bool send(Outgoing &message) override {
    sent.push_back(message.data_bytes());
    blocks.push_back(message.head_bytes() / 8 - 2);
    return true;
  }
  void expect(std::size_t) override {}
  // Another rank has heard of a block of 1,000 bytes.
  bool arrived(std::span<std::int64_t> head) override {
    std::fill(head.begin(), head.end(), 5);
    head[1] = 1000;
    return true;
  }
  bool take(std::byte *, std::int64_t bytes) override {
    taken.push_back(bytes);
    return true;
  }
  [[nodiscard]] std::uint64_t moved() const override { return sent.size(); }

  std::vector<std::int64_t> sent;
  std::vector<std::int64_t> blocks;
  std::vector<std::int64_t> taken;
};

TEST(Padding, MakesAllBlocksAsLongAsTheLargestOfAllRanks) {
  constexpr int ranks = 8;
  Watched watched;
  std::vector<Link *> links(ranks, &watched);
  VaryingMemory memory;
  const auto exchange =
      make_varying_exchange(padded_routes(ranks)[3], links, memory, form_of(padded_bruck(), false, false));
  const std::vector<std::byte> data(40 * ranks);
  const std::vector<BlockData> blocks(ranks, BlockData{data.data(), 40});

  exchange->start(blocks, {});
  Looks once;
  while (!exchange->advance(once)) {
  }

  ASSERT_EQ(watched.sent.size(), 6U);
  for (std::size_t i = 0; i < watched.sent.size(); ++i) {
    EXPECT_EQ(watched.blocks[i], i < 3 ? 0 : 4);
    EXPECT_EQ(watched.sent[i], 1000 * watched.blocks[i]);
    EXPECT_EQ(watched.taken[i], watched.sent[i]);
  }
}

}  // namespace
}  // namespace rondo::internal
