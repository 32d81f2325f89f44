#pragma once

// The steps of node_aggregated: into the hands of relays, from node to node, out of their hands.

#include "plans/algorithm.hpp"
#include "plans/relays.hpp"

namespace rondo::internal {

// What a relay is responsible for: another node (blocks between two nodes go as one message), or destinations
// (blocks for a destination go together, whatever node they come from).
enum class Duty { nodes, destinations };

// One step inside every node: each rank gives each other rank the block that is for it, and those for far nodes
// that it relays.
void hand_to_relays(Route &route, const Relays &relays, Duty duty);

// One step: for each ordered pair of nodes, one message from relay to relay with all blocks from node to node.
void cross_directly(Route &route, const Relays &relays);

// Steps by the digits of the nodes' distance, as in digits.hpp: blocks travel downwards through relays of other
// nodes. A relay sends one message a step to each relay of the node which takes over some of its blocks; that is
// one where nodes have the same number of relays.
void cross_by_digits(Route &route, const Relays &relays, int radix);

// One step inside every node: each relay gives each other rank what has come for it from far nodes.
void hand_to_destinations(Route &route, const Relays &relays, Duty duty);

}  // namespace rondo::internal
