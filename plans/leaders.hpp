#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "route/nodes.hpp"

namespace rondo::internal {

// A sum for each of a node's leaders. Numbers go round the leaders: the leader of a number is the number modulo how
// many leaders there are. What is added for a run of numbers, the leader of each of them gets.
class LeaderSums {
 public:
  explicit LeaderSums(int leaders) : change_(static_cast<std::size_t>(leaders) + 1, 0) {}

  void add(std::int64_t first_number, std::int64_t numbers, std::int64_t value);

  // By local index of the leader.
  [[nodiscard]] std::vector<std::int64_t> sums() const;

 private:
  std::vector<std::int64_t> change_;  // from one leader to the next
};

// Which rank of a node holds the blocks that pass through it: one of its leaders, which are the first ranks of the
// node by local index, `leaders` of them or as many as there are. Nodes of different sizes need not have the
// same number of leaders, so a block may change its local index from node to node.
class Leaders {
 public:
  Leaders(NodeIndex nodes, int leaders) : nodes_(std::move(nodes)), leaders_(leaders) {}
  Leaders(const Topology &topology, int leaders) : Leaders(NodeIndex(topology), leaders) {}

  [[nodiscard]] const NodeIndex &nodes() const { return nodes_; }
  // How many leaders a node has.
  [[nodiscard]] int count(int node) const;

  // By destination: blocks for the same rank are together on their way. Every destination has a number, and numbers
  // go round a node's leaders (LeaderSums). A node's own ranks have numbers one after the other, so where all ranks are
  // leaders each is its own; and each node's begin elsewhere, so that small nodes' numbers do not all fall to a large
  // node's first leaders. Where all nodes have Q ranks, all of them leaders, this is g = p % Q of TuNA, section IV-A.
  // Returns the local index at the node.
  [[nodiscard]] int by_destination(int node, int destination) const;

  // The number of a node's first rank.
  [[nodiscard]] std::int64_t first_number(int node) const { return static_cast<std::int64_t>(node) * count(node); }

  // The destinations, on whatever node, that a leader of a node with so many leaders has by the rule above.
  [[nodiscard]] std::vector<std::int64_t> loads(int leaders) const;

  // By pair of nodes: which leader of a node deals, both ways, with another node. Nearest nodes have the first
  // leaders, so that each has as many nodes as the others, or one more. Returns the local index at the node.
  [[nodiscard]] int by_node(int node, int other) const;

 private:
  NodeIndex nodes_;
  int leaders_;
};

}  // namespace rondo::internal
