#include <algorithm>
#include <vector>

#include "plans/digits.hpp"
#include "plans/inside_node.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

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
  const std::span<const int> members = nodes.members(nodes.node_of(rank));
  Route route(rank, topology.ranks);
  // What the node's ranks have for each other alone, as in an all-to-all of a communicator of their own.
  travel_inside(route, nodes, parameters.radix,
                [&](int index) { return members.subspan(static_cast<std::size_t>(index), 1); });
  send_to_other_nodes(route, nodes, parameters.block_count);
  return route;
}

std::optional<std::vector<Sending>> tuna_explicit_sendings(int rank, const NodeIndex &nodes,
                                                           const Parameters &parameters) {
  std::vector<Sending> all;
  const int steps = add_sendings_inside(all, rank, nodes, parameters.radix, [](std::int64_t) { return 1; });
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
