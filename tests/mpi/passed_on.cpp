// Blocks that leaders pass on to the ranks of their node: right start after start, with nothing between the starts that
// brings the ranks together, where one rank after the other is late. Nodes are pretended.

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <rondo/rondo.hpp>
#include <thread>
#include <vector>

#include "tests/mpi/session.hpp"

namespace rondo {
namespace {

// How many ints a source sends to a destination.
using CountRule = int (*)(int source, int destination);

int of_2_kibibytes(int, int) {
  return 512;
}
int of_up_to_8_kibibytes(int source, int destination) {
  return (source * 7 + destination * 5) % 9 * 256;
}
int of_odd_sizes(int source, int destination) {
  return (source + destination) % 3 == 0 ? 0 : 301 + source * 13 + destination;
}

int value_of(int start, int source, int destination, int index) {
  return start * 1'000'003 + source * 10'007 + destination * 101 + index;
}

// The blocks of one side.
struct Blocks {
  template <class Count>
  explicit Blocks(Count &&count) {
    for (int peer = 0; peer < world_ranks(); ++peer) counts.push_back(count(peer));
    displacements.resize(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
    elements.resize(static_cast<std::size_t>(displacements.back() + counts.back()));
  }

  // use(element, value of the block that is sent to the peer, or received from it).
  template <class Value, class Use>
  void for_each(Value &&value, Use &&use) {
    for (int peer = 0; peer < world_ranks(); ++peer) {
      const auto place = static_cast<std::size_t>(peer);
      for (int i = 0; i < counts[place]; ++i) {
        use(elements[static_cast<std::size_t>(displacements[place] + i)], value(peer, i));
      }
    }
  }

  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<int> elements;
};

struct Way {
  const char *leaders;
  CountRule rule;
};

class PassedOn : public testing::TestWithParam<Way> {};

INSTANTIATE_TEST_SUITE_P(Leaders, PassedOn,
                         testing::Values(Way{"1", of_2_kibibytes}, Way{"3", of_2_kibibytes},
                                         Way{"1", of_up_to_8_kibibytes}, Way{"2", of_up_to_8_kibibytes},
                                         Way{"1", of_odd_sizes}));

TEST_P(PassedOn, BlocksAreRightWhereRanksAreLate) {
  const int self = world_rank();
  Blocks sent([&](int peer) { return GetParam().rule(self, peer); });
  Blocks received([&](int peer) { return GetParam().rule(peer, self); });
  const Side<const int, int> send{sent.elements, sent.counts, sent.displacements};
  const Side<int> receive{received.elements, received.counts, received.displacements};
  Request plan = alltoallv_init(send, receive, MPI_COMM_WORLD,
                                {{"rondo_algorithm", "node_aggregated"},
                                 {"rondo_leaders", GetParam().leaders},
                                 {"rondo_node_size", std::to_string((world_ranks() + 1) / 2)}});

  int wrong = 0;
  for (int start = 0; start < 6 * world_ranks(); ++start) {
    sent.for_each([&](int peer, int i) { return value_of(start, self, peer, i); },
                  [](int &to, int value) { to = value; });
    plan.start();
    if (start % world_ranks() == self) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    plan.wait();
    received.for_each([&](int peer, int i) { return value_of(start, peer, self, i); },
                      [&](int is, int value) { wrong += is == value ? 0 : 1; });
  }

  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace rondo
