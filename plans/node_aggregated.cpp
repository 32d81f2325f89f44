#include <algorithm>
#include <limits>

#include "plans/digits.hpp"
#include "plans/node_outline.hpp"
#include "plans/node_sendings.hpp"
#include "plans/node_steps.hpp"

namespace rondo::internal {

namespace {

// Leaders are responsible for nodes where each pair of nodes exchanges by itself, which a radix of all nodes means.
Serves served_by_leaders(const NodeIndex &nodes, const Parameters &parameters) {
  return parameters.radix >= nodes.nodes() ? Serves::nodes : Serves::destinations;
}

bool hands_in(const NodeIndex &nodes) {
  return nodes.largest() > 1;
}

// Where every rank is a leader, and responsible for blocks for itself, they have arrived already.
bool hands_out(const NodeIndex &nodes, const Parameters &parameters) {
  if (nodes.nodes() == 1) return false;
  return (served_by_leaders(nodes, parameters) == Serves::nodes ? 1 : parameters.leaders) < nodes.largest();
}

Route node_aggregated_route(int rank, const Topology &topology, const Parameters &parameters) {
  const Leaders leaders(topology, parameters.leaders);
  const NodeIndex &nodes = leaders.nodes();
  const Serves serves = served_by_leaders(nodes, parameters);
  Route route(rank, topology.ranks);
  if (hands_in(nodes)) hand_to_leaders(route, leaders, serves);
  if (serves == Serves::destinations) {
    between_nodes_by_digits(route, leaders, parameters.radix);
  } else if (nodes.nodes() > 1) {
    between_nodes_directly(route, leaders);
  }
  if (hands_out(nodes, parameters)) hand_to_destinations(route, leaders, serves);
  return route;
}

Outline node_aggregated_outline(const Topology &topology, const Parameters &parameters) {
  const Leaders leaders(topology, parameters.leaders);
  const NodeIndex &nodes = leaders.nodes();
  const bool direct = served_by_leaders(nodes, parameters) == Serves::nodes;
  Outline outline = direct ? direct_node_outline(leaders) : digit_node_outline(leaders, parameters.radix);
  const std::int64_t between = nodes.nodes() > 1 ? 1 : 0;
  outline.steps = (hands_in(nodes) ? 1 : 0) + (hands_out(nodes, parameters) ? 1 : 0) +
                  (direct ? between : digit_outline(nodes.nodes(), parameters.radix).steps);
  return outline;
}

std::optional<std::vector<Sending>> node_aggregated_sendings(int rank, const NodeIndex &nodes,
                                                             const Parameters &parameters) {
  const Leaders leaders(nodes, parameters.leaders);
  const Serves serves = served_by_leaders(nodes, parameters);
  NodeSendings sendings(rank, leaders, serves);
  if (hands_in(nodes)) sendings.hand_to_leaders();
  if (serves == Serves::destinations) {
    if (!sendings.can_go_by_digits()) return std::nullopt;
    sendings.go_by_digits(parameters.radix);
  } else if (nodes.nodes() > 1) {
    sendings.go_directly();
  }
  if (hands_out(nodes, parameters)) sendings.hand_to_destinations();
  return std::move(sendings).all();
}

Parameters node_aggregated_limits(const Topology &topology, const Parameters &wished) {
  const NodeIndex nodes(topology);
  const int far = nodes.nodes() - 1;
  const int useful = served_by_leaders(nodes, wished) == Serves::nodes ? std::max(1, far) : nodes.largest();
  return {.radix = std::max(2, nodes.nodes()), .leaders = std::min(useful, nodes.largest())};
}

}  // namespace

extern const Algorithm node_aggregated;
const Algorithm node_aggregated = {
    .name = "node_aggregated",
    .summary = "one message for each pair of nodes, between leaders; or by digits of the nodes' distance",
    .source = "beyond TuNA, section IV",
    .layout = Layout::compact,
    .takes_radix = true,
    .takes_leaders = true,
    .defaults = {.radix = std::numeric_limits<int>::max(), .leaders = std::numeric_limits<int>::max()},
    .obstacle = radix_obstacle,
    .limits = node_aggregated_limits,
    .route = node_aggregated_route,
    .outline = node_aggregated_outline,
    .sendings = node_aggregated_sendings,
};

}  // namespace rondo::internal
