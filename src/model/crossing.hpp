#pragma once

// What of an algorithm's messages stays inside nodes, and what goes between them.

#include <optional>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// Of what the ranks of one node send in an exchange without empty blocks: by the rank that does most of it, and by all
// of them in the mean.
struct Load {
  double most = 0;
  double mean = 0;
};

// The counts of one node, the first of those that have most ranks.
struct Crossing {
  Load near;             // messages inside the node
  Load far;              // messages to other nodes
  Load near_moves;       // blocks in those inside the node
  Load far_moves;        // and in the others
  double far_steps = 0;  // steps in which a message goes to another node
  int ranks = 1;         // of the node
};

// Counted from the messages that the algorithm names, or else along the routes, of the node's ranks; where that are
// many, of the first and the last of them, which then stand for all. Nothing where only routes would tell, on
// topologies that are too large for an init to follow them.
std::optional<Crossing> crossing_of(const Algorithm &algorithm, const Topology &topology, const NodeIndex &nodes,
                                    const Parameters &parameters);

}  // namespace rondo::internal
