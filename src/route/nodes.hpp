#pragma once

#include <span>
#include <vector>

#include "exchange/topology.hpp"
#include "route/groups.hpp"

namespace rondo::internal {

// A topology turned round: who is on which node. Made in O(ranks); nodes may differ in size and hold their ranks
// in any order. A rank's local index is its place among its node's ranks, in rank order.
class NodeIndex {
 public:
  // Throws Error (internal) when the map is not of all ranks, or a node below the largest number has no rank.
  explicit NodeIndex(const Topology &topology);

  [[nodiscard]] int ranks() const { return static_cast<int>(node_of_.size()); }
  [[nodiscard]] int nodes() const { return members_.groups(); }
  [[nodiscard]] int largest() const { return largest_; }                        // ranks of the node that has most
  [[nodiscard]] bool is_even() const { return ranks() == nodes() * largest_; }  // all have the same number
  [[nodiscard]] int node_of(int rank) const { return node_of_[rank]; }
  [[nodiscard]] int local_index(int rank) const { return local_index_[rank]; }
  [[nodiscard]] int size(int node) const { return static_cast<int>(members(node).size()); }
  [[nodiscard]] std::span<const int> members(int node) const { return members_[node]; }
  // All ranks, node by node.
  [[nodiscard]] std::span<const int> by_node() const { return members_.all(); }
  // Nodes in groups by their number of ranks, 0 to the largest.
  [[nodiscard]] Groups nodes_by_size() const;

 private:
  std::vector<int> node_of_;
  Groups members_;
  std::vector<int> local_index_;
  int largest_ = 0;
};

// How many nodes the topology has. Its node map must be one that NodeIndex accepts.
int count_nodes(const Topology &topology);

// The map of pretended nodes of at most `size` ranks (at least 1) into which each node is cut, in rank order.
// Numbered from 0 by their lowest ranks.
std::vector<int> pretend_nodes(std::span<const int> node_of, int size);

}  // namespace rondo::internal
