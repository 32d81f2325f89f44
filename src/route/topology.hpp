#pragma once

#include <vector>

namespace rondo {

// What a route may know of the machine: how many ranks there are, and which of them share a node. Plain data,
// so that every node map can be tested in one process.
struct Topology {
  int ranks = 1;
  std::vector<int> node_of;  // by rank, nodes numbered from 0; empty: all ranks on one node
};

}  // namespace rondo
