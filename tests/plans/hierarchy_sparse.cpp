// Nodes that have nothing to say to each other send nothing: empty blocks and messages fall away when a route
// becomes a schedule.

#include <gtest/gtest.h>

#include <set>

#include "schedule/run.hpp"
#include "tests/plans/node_maps.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 32;

std::vector<Schedule> schedules_of(std::string_view name, const Topology &map, const Parameters &wished,
                                   const SizeOf &size_of) {
  const Algorithm &algorithm = *find_algorithm(name);
  return plan_all(algorithm, effective(algorithm, wished, map), map, dense_world(map.ranks, size_of)).schedules;
}

std::int64_t count_between(const std::vector<Schedule> &schedules, const Topology &map) {
  const NodeIndex nodes(map);
  std::int64_t count = 0;
  for (const Schedule &schedule : schedules) {
    for (const Transfer &send : schedule.sends) {
      count += nodes.node_of(send.peer) != nodes.node_of(schedule.rank) ? 1 : 0;
    }
  }
  return count;
}

std::int64_t count_all(const std::vector<Schedule> &schedules) {
  std::int64_t count = 0;
  for (const Schedule &schedule : schedules) count += static_cast<std::int64_t>(schedule.sends.size());
  return count;
}

// About one block in twelve.
std::int64_t sparse(int source, int destination) {
  return (source * 7 + destination * 5) % 12 == 0 ? 8 : 0;
}

std::int64_t halo(int source, int destination) {
  return source - destination == 1 || destination - source == 1 ? 8 : 0;
}

TEST(SparseHierarchy, AggregatedSendsBetweenNodesThatHaveSomethingToSay) {
  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const NodeIndex nodes(map);
    std::set<std::pair<int, int>> talking;
    for (int source = 0; source < map.ranks; ++source) {
      for (int destination = 0; destination < map.ranks; ++destination) {
        if (sparse(source, destination) > 0) talking.emplace(nodes.node_of(source), nodes.node_of(destination));
      }
    }
    std::erase_if(talking, [](const auto &pair) { return pair.first == pair.second; });
    for (const int leaders : {1, 2, 8}) {
      const auto schedules = schedules_of("node_aggregated", map, {.leaders = leaders}, sparse);

      ASSERT_EQ(count_between(schedules, map), talking.size()) << describe(map, {.leaders = leaders});
    }
  }
}

TEST(SparseHierarchy, CoalescedSendsToRanksThatANodeHasSomethingFor) {
  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const NodeIndex nodes(map);
    std::set<std::pair<int, int>> wanted;  // node and destination
    for (int source = 0; source < map.ranks; ++source) {
      for (int destination = 0; destination < map.ranks; ++destination) {
        const bool far = nodes.node_of(source) != nodes.node_of(destination);
        if (far && sparse(source, destination) > 0) wanted.emplace(nodes.node_of(source), destination);
      }
    }
    ASSERT_EQ(count_between(schedules_of("tuna_hierarchical", map, {}, sparse), map), wanted.size())
        << describe(map, {});
  }
}

// Eight nodes of four in a row: each talks to the next, both ways, and to no other.
TEST(SparseHierarchy, HaloGoesToNeighbouringNodes) {
  const Topology map = topology_of(nodes_of_sizes(32, {4}));

  EXPECT_EQ(count_between(schedules_of("node_aggregated", map, {}, halo), map), 2 * 7);
  EXPECT_EQ(count_between(schedules_of("node_aggregated", map, {.leaders = 1}, halo), map), 2 * 7);
  EXPECT_EQ(count_between(schedules_of("tuna_hierarchical", map, {}, halo), map), 2 * 7);
}

// To the leader, to the other node's leader, to the destination.
TEST(SparseHierarchy, OneBlockTakesThreeHopsAtMost) {
  const Topology map = topology_of(nodes_of_sizes(12, {4}));
  const auto from_3_to_11 = [](int source, int destination) { return source == 3 && destination == 11 ? 100 : 0; };
  const auto from_0_to_8 = [](int source, int destination) { return source == 0 && destination == 8 ? 100 : 0; };

  EXPECT_EQ(count_all(schedules_of("node_aggregated", map, {.leaders = 1}, from_3_to_11)), 3);
  EXPECT_EQ(count_all(schedules_of("node_aggregated", map, {.leaders = 1}, from_0_to_8)), 1);
}

TEST(SparseHierarchy, NothingIsSentWhenAllBlocksAreEmpty) {
  const Topology map = topology_of(nodes_of_sizes(13, {3, 5}));

  for (const Algorithm *algorithm : hierarchical_algorithms()) {
    EXPECT_EQ(count_all(schedules_of(algorithm->name, map, {}, constant(0))), 0) << algorithm->name;
  }
}

}  // namespace
}  // namespace rondo::internal
