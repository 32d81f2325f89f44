#pragma once

#include <cstdint>
#include <vector>

#include "route/nodes.hpp"

namespace rondo {

// Which rank of a node holds the blocks that pass through it: one of its relays, which are the first ranks of the
// node by local index, `leaders` of them or as many as there are. Nodes of different sizes need not have the
// same number of relays, so a block may change its local index from node to node.
class Relays {
 public:
  Relays(const Topology &topology, int leaders);

  [[nodiscard]] const NodeIndex &nodes() const { return nodes_; }
  [[nodiscard]] int relays(int node) const;

  // By destination: blocks for the same rank are together on their way. Every destination has a lane, and lanes
  // go round a node's relays. A node's own ranks have lanes one after the other, so where all ranks are relays each
  // is its own; and each node's begin elsewhere, so that small nodes' lanes do not all fall to a large node's first
  // relays. Where all nodes have Q ranks, all of them relays, this is g = p % Q of TuNA, section IV-A. Returns the
  // local index at the node.
  [[nodiscard]] int by_destination(int node, int destination) const;

  // The destinations, on whatever node, that a relay of a node with so many relays has by the rule above.
  [[nodiscard]] std::vector<std::int64_t> loads(int relays) const;

  // By pair of nodes: which relay of a node deals, both ways, with another node. Nearest nodes have the first
  // relays, so that each has as many nodes as the others, or one more. Returns the local index at the node.
  [[nodiscard]] int by_node(int node, int other) const;

 private:
  NodeIndex nodes_;
  int leaders_;
};

}  // namespace rondo
