#pragma once

#include <cstdint>
#include <vector>

#include "route/nodes.hpp"

namespace rondo::internal {

// A number for each of a node's relays. Lanes go round the relays; what is added for a run of lanes, the relay of
// each of them gets.
class RelaySums {
 public:
  explicit RelaySums(int relays) : change_(static_cast<std::size_t>(relays) + 1, 0) {}

  void add(std::int64_t first_lane, std::int64_t lanes, std::int64_t value);

  // By local index of the relay.
  [[nodiscard]] std::vector<std::int64_t> sums() const;

 private:
  std::vector<std::int64_t> change_;  // from one relay to the next
};

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

  // The lane of a node's first rank.
  [[nodiscard]] std::int64_t first_lane(int node) const { return static_cast<std::int64_t>(node) * relays(node); }

  // The destinations, on whatever node, that a relay of a node with so many relays has by the rule above.
  [[nodiscard]] std::vector<std::int64_t> loads(int relays) const;

  // By pair of nodes: which relay of a node deals, both ways, with another node. Nearest nodes have the first
  // relays, so that each has as many nodes as the others, or one more. Returns the local index at the node.
  [[nodiscard]] int by_node(int node, int other) const;

 private:
  NodeIndex nodes_;
  int leaders_;
};

}  // namespace rondo::internal
