#pragma once

// The steps of node_aggregated: into the hands of leaders, from node to node, out of their hands.

#include "plans/algorithm.hpp"
#include "plans/leaders.hpp"

namespace rondo::internal {

// What a leader is responsible for: another node (blocks between two nodes go as one message), or destinations
// (blocks for a destination go together, whatever node they come from).
enum class Serves { nodes, destinations };

// One step inside every node: each rank gives each other rank the block that is for it, and those for far nodes
// whose leader it is.
void hand_to_leaders(Route &route, const Leaders &leaders, Serves serves);

// One step: for each ordered pair of nodes, one message from leader to leader with all blocks from node to node.
void between_nodes_directly(Route &route, const Leaders &leaders);

// Steps by the digits of the nodes' distance, as in digits.hpp: blocks travel downwards through leaders of other
// nodes. A leader sends one message a step to each leader of the node which takes over some of its blocks; that is
// one where nodes have the same number of leaders.
void between_nodes_by_digits(Route &route, const Leaders &leaders, int radix);

// One step inside every node: each leader gives each other rank what has come for it from far nodes.
void hand_to_destinations(Route &route, const Leaders &leaders, Serves serves);

}  // namespace rondo::internal
