// How many messages go between nodes: exactly, on every node map.

#include <gtest/gtest.h>

#include <map>

#include "plans/digits.hpp"
#include "route/print.hpp"
#include "tests/plans/node_maps.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 32;
constexpr int no_limit = std::numeric_limits<int>::max();

const Algorithm &tuna_hierarchical() {
  return *find_algorithm("tuna_hierarchical");
}

const Algorithm &node_aggregated() {
  return *find_algorithm("node_aggregated");
}

// Messages between nodes by the pair of nodes.
std::map<std::pair<int, int>, std::int64_t> count_by_pair(const std::vector<Route> &routes, const NodeIndex &nodes) {
  std::map<std::pair<int, int>, std::int64_t> count;
  for (const Route &route : routes) {
    for (const Message &message : route.sends.messages()) {
      const std::pair pair(nodes.node_of(route.rank), nodes.node_of(message.peer));
      if (pair.first != pair.second) ++count[pair];
    }
  }
  return count;
}

std::int64_t count_between(const Algorithm &algorithm, const Topology &map, const Parameters &wished) {
  std::int64_t sum = 0;
  const std::vector<Route> routes = routes_on(algorithm, map, effective(algorithm, wished, map));
  for (const auto &[pair, count] : count_by_pair(routes, NodeIndex(map))) sum += count;
  return sum;
}

// The messages that each rank sends to other nodes.
std::vector<int> count_by_rank(const std::vector<Route> &routes, const NodeIndex &nodes) {
  std::vector<int> count(routes.size(), 0);
  for (const Route &route : routes) {
    for (const Message &message : route.sends.messages()) {
      count[static_cast<std::size_t>(route.rank)] += nodes.node_of(message.peer) != nodes.node_of(route.rank) ? 1 : 0;
    }
  }
  return count;
}

TEST(MessagesBetweenNodes, AreOneForEachPairOfNodesWhenAggregated) {
  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const NodeIndex nodes(map);
    const auto pairs = static_cast<std::size_t>(nodes.nodes()) * static_cast<std::size_t>(nodes.nodes() - 1);
    for (const int leaders : {1, 2, 3, no_limit}) {
      const Parameters parameters = effective(node_aggregated(), {.leaders = leaders}, map);
      const auto count = count_by_pair(routes_on(node_aggregated(), map, parameters), nodes);

      ASSERT_EQ(count.size(), pairs) << describe(map, parameters);
      for (const auto &[pair, messages] : count) ASSERT_EQ(messages, 1) << describe(map, parameters);
    }
  }
}

TEST(MessagesBetweenNodes, AreSpreadEvenlyOverLeaders) {
  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const NodeIndex nodes(map);
    for (const int leaders : {1, 2, 3, no_limit}) {
      const Parameters parameters = effective(node_aggregated(), {.leaders = leaders}, map);
      const std::vector<int> count = count_by_rank(routes_on(node_aggregated(), map, parameters), nodes);

      for (int rank = 0; rank < map.ranks; ++rank) {
        const int there = std::min(leaders, nodes.size(nodes.node_of(rank)));
        const int index = nodes.local_index(rank);
        const int share = index < there ? (nodes.nodes() - 1 + there - 1 - index) / there : 0;
        ASSERT_EQ(count[static_cast<std::size_t>(rank)], share) << "rank " << rank << ", " << describe(map, parameters);
      }
    }
  }
}

// Both ways between two nodes go between the same two ranks.
TEST(MessagesBetweenNodes, MeetTheSameLeaderBothWays) {
  const Topology map = topology_of(nodes_of_sizes(27, {5, 1, 8, 3}));
  for (const Route &route : routes_on(node_aggregated(), map, effective(node_aggregated(), {}, map))) {
    std::vector<int> to;
    std::vector<int> from;
    for (const Message &message : route.sends.messages(1)) to.push_back(message.peer);
    for (const Message &message : route.receives.messages(1)) from.push_back(message.peer);
    EXPECT_EQ(to, from) << route.rank;
  }
}

TEST(MessagesBetweenNodes, AreOneForEachNodeLeaderAndStepByDigits) {
  for (const int size : {1, 2, 4, 8}) {
    for (int count = 3; count * size <= most_ranks; ++count) {
      const Topology map = topology_of(nodes_of_sizes(count * size, {size}));
      for (int radix = 2; radix < count; ++radix) {
        const std::int64_t steps = digit_outline(count, radix).steps;

        ASSERT_EQ(count_between(node_aggregated(), map, {.radix = radix, .leaders = 1}), count * steps);
        ASSERT_EQ(count_between(node_aggregated(), map, {.radix = radix}), count * steps * size);
      }
    }
  }
}

// Every rank has one message from each other node, whatever the nodes' sizes: P (N - 1).
TEST(MessagesBetweenNodes, AreOneForEachNodeAndDestinationWhenCoalesced) {
  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const std::int64_t expected = static_cast<std::int64_t>(map.ranks) * (NodeIndex(map).nodes() - 1);

    ASSERT_EQ(count_between(tuna_hierarchical(), map, {}), expected) << describe(map, {});
    ASSERT_EQ(count_between(tuna_hierarchical(), map, {.radix = 3, .block_count = 1}), expected) << describe(map, {});
  }
}

TEST(MessagesBetweenNodes, AreAllBlocksThatLeaveTheirNodeWhenStaggered) {
  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const NodeIndex nodes(map);
    std::int64_t expected = static_cast<std::int64_t>(map.ranks) * map.ranks;
    for (int node = 0; node < nodes.nodes(); ++node) expected -= nodes.size(node) * nodes.size(node);

    ASSERT_EQ(count_between(tuna_hierarchical(), map, {.pattern = Pattern::staggered}), expected) << describe(map, {});
  }
}

// On a node of 8 beside 24 of one rank, each of the 8 deals with three.
TEST(MessagesBetweenNodes, ToSmallNodesAreSpreadOverALargeOne) {
  std::vector<int> sizes(25, 1);
  sizes[0] = 8;
  const Topology map = topology_of(nodes_of_sizes(32, sizes));
  const Parameters parameters = effective(tuna_hierarchical(), {}, map);

  const std::vector<int> count = count_by_rank(routes_on(tuna_hierarchical(), map, parameters), NodeIndex(map));

  for (std::size_t rank = 0; rank < 8; ++rank) EXPECT_EQ(count[rank], 3) << rank;
}

TEST(MessagesBetweenNodes, AreAtMostBlockCountInAStep) {
  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const NodeIndex nodes(map);
    for (const Parameters &parameters : parameters_on(tuna_hierarchical(), map)) {
      const std::int64_t inside = digit_outline(nodes.largest(), parameters.radix).steps;
      for (const Route &route : routes_on(tuna_hierarchical(), map, parameters)) {
        for (int step = static_cast<int>(inside); step < route.steps(); ++step) {
          const auto sends = route.sends.messages(step).size();
          ASSERT_LE(sends, static_cast<std::size_t>(parameters.block_count)) << describe(map, parameters);
        }
      }
    }
  }
}

TEST(TunaHierarchical, IsTunaOnOneNode) {
  const Algorithm &tuna = *find_algorithm("tuna");
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const Topology one_node{.ranks = ranks, .node_of = {}};
    for (const int radix : {2, 3, no_limit}) {
      const Parameters ours = effective(tuna_hierarchical(), {.radix = radix}, one_node);
      const Parameters theirs = effective(tuna, {.radix = radix}, one_node);

      EXPECT_EQ(to_string(tuna_hierarchical().route(ranks / 2, one_node, ours)),
                to_string(tuna.route(ranks / 2, one_node, theirs)));
    }
  }
}

TEST(TunaHierarchical, IsScatteredOnNodesOfOneRank) {
  const Algorithm &scattered = *find_algorithm("scattered");
  for (int ranks = 2; ranks <= most_ranks; ++ranks) {
    const Topology map = topology_of(nodes_of_sizes(ranks, {1}));
    for (const Pattern pattern : {Pattern::coalesced, Pattern::staggered}) {
      const Parameters ours = effective(tuna_hierarchical(), {.block_count = 3, .pattern = pattern}, map);
      const Parameters theirs = effective(scattered, {.block_count = 3}, map);

      EXPECT_EQ(to_string(tuna_hierarchical().route(ranks / 2, map, ours)),
                to_string(scattered.route(ranks / 2, map, theirs)));
    }
  }
}

}  // namespace
}  // namespace rondo::internal
