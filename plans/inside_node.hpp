#pragma once

// The steps of the hierarchical forms of TuNA inside the nodes (section IV-A, figure 4): by the digits of the distance
// between the ranks of a node. Every node takes part in the steps of the largest one.

#include <cstdint>
#include <span>
#include <vector>

#include "plans/algorithm.hpp"
#include "plans/digit_walk.hpp"

namespace rondo::internal {

// Adds the steps of a rank. bound_for(index) gives the destinations whose blocks travel, from every rank of the node,
// to the one with this local index.
template <class BoundFor>
void travel_inside(Route &route, const NodeIndex &nodes, int radix, BoundFor &&bound_for) {
  const std::span<const int> members = nodes.members(nodes.node_of(route.rank));
  const auto size = static_cast<std::int64_t>(members.size());
  const std::int64_t own = nodes.local_index(route.rank);
  const auto member = [&](std::int64_t index) { return members[static_cast<std::size_t>(index)]; };
  const auto carry_all = [&](Traffic &traffic, std::int64_t holder, std::int64_t power, std::int64_t hop) {
    for_each_distance(size, radix, power, hop, [&](std::int64_t i) {
      const std::int64_t source = (holder + i % power) % size;
      const std::int64_t goal = (source - i + size) % size;
      for (const int destination : bound_for(static_cast<int>(goal))) traffic.carry({member(source), destination});
    });
  };
  for_each_step(nodes.largest(), radix, [&](std::int64_t power, std::int64_t hop) {
    route.begin_step();
    if (hop >= size) return;
    const std::int64_t from = (own + hop) % size;
    route.sends.begin_message(member((own - hop + size) % size));
    carry_all(route.sends, own, power, hop);
    route.receives.begin_message(member(from));
    carry_all(route.receives, from, power, hop);
  });
}

// Adds what the rank sends in these steps, and gives their number. count_for(index) is how many destinations bound_for
// gives.
template <class CountFor>
int add_sendings_inside(std::vector<Sending> &all, int rank, const NodeIndex &nodes, int radix, CountFor &&count_for) {
  const std::span<const int> members = nodes.members(nodes.node_of(rank));
  const auto size = static_cast<std::int64_t>(members.size());
  const std::int64_t own = nodes.local_index(rank);
  int steps = 0;
  for_each_step(nodes.largest(), radix, [&](std::int64_t power, std::int64_t hop) {
    const int step = steps++;
    if (hop >= size) return;
    std::int64_t blocks = 0;
    for_each_distance(size, radix, power, hop,
                      [&](std::int64_t i) { blocks += count_for((own + i % power - i + 2 * size) % size); });
    all.push_back({step, members[static_cast<std::size_t>((own - hop + size) % size)], blocks});
  });
  return steps;
}

}  // namespace rondo::internal
