#pragma once

#include <vector>

namespace rondo::internal {

// What a route may know of the machine and the communicator: how many ranks there are, which of them share a node, and
// which are of which group. Plain data, so that every node map can be tested in one process.
struct Topology {
  int ranks = 1;
  std::vector<int> node_of;  // by rank, nodes numbered from 0; empty: all ranks on one node
  // On an intercommunicator, the first rank of the second group: all ranks below it are the first group. 0: one group.
  int second_group = 0;

  [[nodiscard]] bool two_groups() const { return second_group > 0; }
};

}  // namespace rondo::internal
