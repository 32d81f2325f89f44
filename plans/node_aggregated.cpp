#include <algorithm>
#include <limits>

#include "plans/digits.hpp"
#include "plans/node_outline.hpp"
#include "plans/node_steps.hpp"

namespace rondo::internal {

namespace {

// Relays are responsible for nodes where each pair of nodes exchanges by itself, which a radix of all nodes means.
Duty duty_of(const NodeIndex &nodes, const Parameters &parameters) {
  return parameters.radix >= nodes.nodes() ? Duty::nodes : Duty::destinations;
}

bool hands_in(const NodeIndex &nodes) {
  return nodes.largest() > 1;
}

// Where every rank is a relay, and responsible for blocks for itself, they have arrived already.
bool hands_out(const NodeIndex &nodes, const Parameters &parameters) {
  if (nodes.nodes() == 1) return false;
  return (duty_of(nodes, parameters) == Duty::nodes ? 1 : parameters.leaders) < nodes.largest();
}

Route node_aggregated_route(int rank, const Topology &topology, const Parameters &parameters) {
  const Relays relays(topology, parameters.leaders);
  const NodeIndex &nodes = relays.nodes();
  const Duty duty = duty_of(nodes, parameters);
  Route route(rank, topology.ranks);
  if (hands_in(nodes)) hand_to_relays(route, relays, duty);
  if (duty == Duty::destinations) {
    cross_by_digits(route, relays, parameters.radix);
  } else if (nodes.nodes() > 1) {
    cross_directly(route, relays);
  }
  if (hands_out(nodes, parameters)) hand_to_destinations(route, relays, duty);
  return route;
}

Outline node_aggregated_outline(const Topology &topology, const Parameters &parameters) {
  const Relays relays(topology, parameters.leaders);
  const NodeIndex &nodes = relays.nodes();
  const bool direct = duty_of(nodes, parameters) == Duty::nodes;
  Outline outline = direct ? direct_node_outline(relays) : digit_node_outline(relays, parameters.radix);
  const std::int64_t between = nodes.nodes() > 1 ? 1 : 0;
  outline.steps = (hands_in(nodes) ? 1 : 0) + (hands_out(nodes, parameters) ? 1 : 0) +
                  (direct ? between : digit_outline(nodes.nodes(), parameters.radix).steps);
  return outline;
}

Parameters node_aggregated_limits(const Topology &topology, const Parameters &wished) {
  const NodeIndex nodes(topology);
  const int far = nodes.nodes() - 1;
  const int useful = duty_of(nodes, wished) == Duty::nodes ? std::max(1, far) : nodes.largest();
  return {.radix = std::max(2, nodes.nodes()), .leaders = std::min(useful, nodes.largest())};
}

}  // namespace

extern const Algorithm node_aggregated;
const Algorithm node_aggregated = {
    .name = "node_aggregated",
    .summary = "one message for each pair of nodes, between relays; or by digits of the nodes' distance",
    .source = "beyond TuNA, section IV",
    .layout = Layout::compact,
    .takes_radix = true,
    .takes_leaders = true,
    .defaults = {.radix = std::numeric_limits<int>::max(), .leaders = std::numeric_limits<int>::max()},
    .obstacle = radix_obstacle,
    .limits = node_aggregated_limits,
    .route = node_aggregated_route,
    .outline = node_aggregated_outline,
};

}  // namespace rondo::internal
