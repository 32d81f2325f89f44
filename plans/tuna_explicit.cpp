#include <algorithm>
#include <vector>

#include "plans/digit_walk.hpp"
#include "plans/digits.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// TuNA among the ranks of a node with what they have for each other, as in an all-to-all of the node's own
// communicator (section IV-A, figure 4 a).
void travel_inside(Route &route, const NodeIndex &nodes, int radix) {
  const std::span<const int> members = nodes.members(nodes.node_of(route.rank));
  const auto size = static_cast<std::int64_t>(members.size());
  const std::int64_t own = nodes.local_index(route.rank);
  const auto member = [&](std::int64_t index) { return members[static_cast<std::size_t>((index + size) % size)]; };
  const auto carry_all = [&](Traffic &traffic, std::int64_t holder, std::int64_t power, std::int64_t hop) {
    for_each_distance(size, radix, power, hop, [&](std::int64_t i) {
      const std::int64_t source = holder + i % power;
      traffic.carry({member(source), member(source - i)});
    });
  };
  for_each_step(nodes.largest(), radix, [&](std::int64_t power, std::int64_t hop) {
    route.begin_step();
    if (hop >= size) return;
    route.sends.begin_message(member(own - hop));
    carry_all(route.sends, own, power, hop);
    route.receives.begin_message(member(own + hop));
    carry_all(route.receives, own + hop, power, hop);
  });
}

// How many destinations on other nodes come before this one, going round from the rank after the source.
int turn_of(int source, int destination, const NodeIndex &nodes) {
  const std::span<const int> members = nodes.members(nodes.node_of(source));
  const auto size = static_cast<int>(members.size());
  const auto below = std::lower_bound(members.begin(), members.end(), destination) - members.begin();
  const int skipped = static_cast<int>(below) - nodes.local_index(source) - 1 + (destination < source ? size : 0);
  const int distance = (destination - source + nodes.ranks()) % nodes.ranks();
  return distance - 1 - skipped;
}

// Of the rank that has most destinations on other nodes.
int most_far(const NodeIndex &nodes) {
  int fewest = nodes.ranks();
  for (int node = 0; node < nodes.nodes(); ++node) fewest = std::min(fewest, nodes.size(node));
  return nodes.ranks() - fewest;
}

int far_steps(const NodeIndex &nodes, int batch) {
  return most_far(nodes) / batch + (most_far(nodes) % batch == 0 ? 0 : 1);
}

// Every block for another node, from its source, `batch` of them a step.
void send_to_other_nodes(Route &route, const NodeIndex &nodes, int batch) {
  const int ranks = nodes.ranks();
  const int own = nodes.node_of(route.rank);
  std::vector<std::vector<int>> senders(static_cast<std::size_t>(far_steps(nodes, batch)));  // by step
  for (int k = 1; k < ranks; ++k) {
    const int from = (route.rank - k + ranks) % ranks;
    if (nodes.node_of(from) == own) continue;
    senders[static_cast<std::size_t>(turn_of(from, route.rank, nodes) / batch)].push_back(from);
  }
  int k = 1;
  for (const std::vector<int> &those : senders) {
    route.begin_step();
    for (int sent = 0; k < ranks && sent < batch; ++k) {
      const int to = (route.rank + k) % ranks;
      if (nodes.node_of(to) == own) continue;
      route.sends.begin_message(to);
      route.sends.carry({route.rank, to});
      ++sent;
    }
    for (const int from : those) {
      route.receives.begin_message(from);
      route.receives.carry({from, route.rank});
    }
  }
}

Route tuna_explicit_route(int rank, const Topology &topology, const Parameters &parameters) {
  const NodeIndex nodes(topology);
  Route route(rank, topology.ranks);
  travel_inside(route, nodes, parameters.radix);
  send_to_other_nodes(route, nodes, parameters.block_count);
  return route;
}

std::optional<std::vector<Sending>> tuna_explicit_sendings(int rank, const NodeIndex &nodes,
                                                           const Parameters &parameters) {
  const std::span<const int> members = nodes.members(nodes.node_of(rank));
  const auto size = static_cast<std::int64_t>(members.size());
  const std::int64_t own = nodes.local_index(rank);
  std::vector<Sending> all;
  int steps = 0;
  for_each_step(nodes.largest(), parameters.radix, [&](std::int64_t power, std::int64_t hop) {
    const int step = steps++;
    if (hop >= size) return;
    all.push_back({step, members[static_cast<std::size_t>((own - hop + size) % size)],
                   count_distances(size, parameters.radix, power, hop)});
  });
  int turn = 0;
  for (int k = 1; k < nodes.ranks(); ++k) {
    const int to = (rank + k) % nodes.ranks();
    if (nodes.node_of(to) != nodes.node_of(rank)) all.push_back({steps + turn++ / parameters.block_count, to, 1});
  }
  return all;
}

Outline tuna_explicit_outline(const Topology &topology, const Parameters &parameters) {
  const NodeIndex nodes(topology);
  const Groups by_size = nodes.nodes_by_size();
  Outline outline;
  outline.steps = digit_outline(nodes.largest(), parameters.radix).steps + far_steps(nodes, parameters.block_count);
  for (int size = 1; size <= nodes.largest(); ++size) {
    if (by_size[size].empty()) continue;
    const Outline inside = digit_outline(size, parameters.radix);
    const std::int64_t far = topology.ranks - size;
    outline.messages = std::max(outline.messages, inside.messages + far);
    outline.block_moves = std::max(outline.block_moves, inside.block_moves + far);
  }
  return outline;
}

Parameters tuna_explicit_limits(const Topology &topology, const Parameters &) {
  const NodeIndex nodes(topology);
  return {.radix = std::max(2, nodes.largest()), .block_count = std::max(1, most_far(nodes))};
}

}  // namespace

extern const Algorithm tuna_explicit;
const Algorithm tuna_explicit = {
    .name = "tuna_explicit",
    .summary = "tuna inside each node for the node's own blocks; those for other nodes straight from their source",
    .source = "TuNA, section IV-A, figure 4 (a)",
    .layout = Layout::compact,
    .by_name_only = true,
    .takes_radix = true,
    .takes_block_count = true,
    .obstacle = radix_obstacle,
    .limits = tuna_explicit_limits,
    .route = tuna_explicit_route,
    .outline = tuna_explicit_outline,
    .sendings = tuna_explicit_sendings,
};

}  // namespace rondo::internal
