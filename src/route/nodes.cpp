#include "route/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

std::vector<int> whole_map(const Topology &topology) {
  if (topology.node_of.empty()) return std::vector<int>(topology.ranks, 0);
  if (std::ssize(topology.node_of) == topology.ranks) return topology.node_of;
  throw Error(Fault::internal,
              fmt::format("the node map is of {} ranks, and there are {}", topology.node_of.size(), topology.ranks));
}

Groups ranks_by_node(const std::vector<int> &node_of) {
  std::vector<int> ranks(node_of.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  const int nodes = 1 + *std::max_element(node_of.begin(), node_of.end());
  return {ranks, nodes, [&](int rank) { return node_of[rank]; }};
}

}  // namespace

NodeIndex::NodeIndex(const Topology &topology)
    : node_of_(whole_map(topology)), members_(ranks_by_node(node_of_)), local_index_(node_of_.size()) {
  for (int node = 0; node < nodes(); ++node) {
    if (size(node) == 0) throw Error(Fault::internal, fmt::format("node {} of {} has no rank", node, nodes()));
    largest_ = std::max(largest_, size(node));
    int next = 0;
    for (const int rank : members(node)) local_index_[rank] = next++;
  }
}

Groups NodeIndex::nodes_by_size() const {
  std::vector<int> all(nodes());
  std::iota(all.begin(), all.end(), 0);
  return {all, largest_ + 1, [this](int node) { return size(node); }};
}

int count_nodes(const Topology &topology) {
  if (topology.node_of.empty()) return 1;
  return 1 + *std::max_element(topology.node_of.begin(), topology.node_of.end());
}

std::vector<int> pretend_nodes(std::span<const int> node_of, int size) {
  std::map<int, int> ranks_seen;                 // by real node
  std::map<std::pair<int, int>, int> pretended;  // by real node and piece of it
  std::vector<int> result;
  for (const int node : node_of) {
    const int piece = ranks_seen[node]++ / size;
    result.push_back(pretended.emplace(std::pair(node, piece), static_cast<int>(pretended.size())).first->second);
  }
  return result;
}

}  // namespace rondo::internal
