#include <algorithm>
#include <limits>

#include "plans/digits.hpp"
#include "plans/far_messages.hpp"
#include "plans/inside_node.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// All ranks of a node are leaders: the block for rank (m, j) travels inside the source's node to the rank that
// holds what the node has for (m, j), which for nodes of one size is its rank j.
constexpr int all_ranks = std::numeric_limits<int>::max();

Route tuna_hierarchical_route(int rank, const Topology &topology, const Parameters &parameters) {
  const Leaders leaders(topology, all_ranks);
  const NodeIndex &nodes = leaders.nodes();
  const int node = nodes.node_of(rank);
  // For the destinations on all nodes at once (figure 4 b): a block is routed as if the leader of its destination were
  // its destination.
  const Groups bound_for(nodes.by_node(), nodes.size(node),
                         [&](int destination) { return leaders.by_destination(node, destination); });
  Route route(rank, topology.ranks);
  travel_inside(route, nodes, parameters.radix, [&](int leader) { return bound_for[leader]; });
  send_to_far_destinations(route, leaders, parameters);
  return route;
}

std::optional<std::vector<Sending>> tuna_hierarchical_sendings(int rank, const NodeIndex &nodes,
                                                               const Parameters &parameters) {
  const Leaders leaders(nodes, all_ranks);
  const std::vector<std::int64_t> bound_for = leaders.loads(nodes.size(nodes.node_of(rank)));
  std::vector<Sending> all;
  const int steps = add_sendings_inside(all, rank, nodes, parameters.radix, [&](std::int64_t leader) {
    return bound_for[static_cast<std::size_t>(leader)];
  });
  add_far_sendings(all, rank, steps, leaders, parameters);
  return all;
}

// For nodes of one size, what their busiest rank does.
Outline outline_for_size(const Leaders &leaders, int size, const Parameters &parameters) {
  const std::vector<std::int64_t> load = leaders.loads(size);
  const std::vector<std::int64_t> inside = digit_moves(load, parameters.radix);
  const std::int64_t hops = digit_outline(size, parameters.radix).messages;
  Outline busiest;
  for (std::size_t rank = 0; rank < load.size(); ++rank) {
    const std::int64_t far = load[rank] - 1;
    busiest.messages = std::max(busiest.messages, hops + far_messages(far, size, parameters.pattern));
    busiest.block_moves = std::max(busiest.block_moves, inside[rank] + far * size);
  }
  return busiest;
}

Outline tuna_hierarchical_outline(const Topology &topology, const Parameters &parameters) {
  const Leaders leaders(topology, all_ranks);
  const NodeIndex &nodes = leaders.nodes();
  const Groups by_size = nodes.nodes_by_size();
  Outline outline;
  for (int size = 1; size <= nodes.largest(); ++size) {
    if (by_size[size].empty()) continue;
    const Outline busiest = outline_for_size(leaders, size, parameters);
    outline.messages = std::max(outline.messages, busiest.messages);
    outline.block_moves = std::max(outline.block_moves, busiest.block_moves);
  }
  outline.steps = digit_outline(nodes.largest(), parameters.radix).steps + far_steps(leaders, parameters);
  return outline;
}

Parameters tuna_hierarchical_limits(const Topology &topology, const Parameters &wished) {
  if (count_nodes(topology) == 1) return {.radix = std::max(2, topology.ranks), .block_count = 1};
  const Leaders leaders(topology, all_ranks);
  const std::int64_t most = most_far_messages(leaders, wished.pattern);
  return {.radix = std::max(2, leaders.nodes().largest()),
          .block_count = static_cast<int>(std::clamp<std::int64_t>(most, 1, std::numeric_limits<int>::max()))};
}

}  // namespace

extern const Algorithm tuna_hierarchical;
const Algorithm tuna_hierarchical = {
    .name = "tuna_hierarchical",
    .summary = "tuna among the ranks of each node, then batches of messages between nodes",
    .source = "TuNA, section IV",
    .layout = Layout::compact,
    .takes_radix = true,
    .takes_block_count = true,
    .takes_pattern = true,
    .obstacle = radix_obstacle,
    .limits = tuna_hierarchical_limits,
    .route = tuna_hierarchical_route,
    .outline = tuna_hierarchical_outline,
    .sendings = tuna_hierarchical_sendings,
};

}  // namespace rondo::internal
