#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "plans/algorithm.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

// Nodes of these sizes by turns, until all ranks have a place; the last may hold fewer.
inline std::vector<int> nodes_of_sizes(int ranks, const std::vector<int> &sizes) {
  std::vector<int> node_of;
  for (int node = 0; static_cast<int>(node_of.size()) < ranks; ++node) {
    const int left = ranks - static_cast<int>(node_of.size());
    const int size = std::min(left, sizes[static_cast<std::size_t>(node) % sizes.size()]);
    node_of.insert(node_of.end(), static_cast<std::size_t>(size), node);
  }
  return node_of;
}

inline Topology topology_of(std::vector<int> node_of) {
  const int ranks = static_cast<int>(node_of.size());
  return {.ranks = ranks, .node_of = std::move(node_of)};
}

// Nodes of 1 to 8 ranks, of 3 and 5, 1 and 7, 4 and 2 and a large one before ones of one rank; in rank order and
// shuffled. Each map once.
inline std::vector<Topology> node_maps(int ranks) {
  std::vector<std::vector<int>> sizes = {{3, 5}, {1, 7}, {4, 2}, {8, 1, 1, 1, 1, 1, 1, 1, 1, 2}};
  for (int size = 1; size <= 8; ++size) sizes.push_back({size});
  std::mt19937 random(static_cast<unsigned>(ranks));
  std::set<std::vector<int>> maps;
  for (const std::vector<int> &by_turns : sizes) {
    std::vector<int> node_of = nodes_of_sizes(ranks, by_turns);
    maps.insert(node_of);
    std::shuffle(node_of.begin(), node_of.end(), random);
    maps.insert(node_of);
  }
  std::vector<Topology> all;
  for (const std::vector<int> &node_of : maps) all.push_back(topology_of(node_of));
  return all;
}

inline std::vector<Topology> node_maps_up_to(int most_ranks) {
  std::vector<Topology> all;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    for (Topology &map : node_maps(ranks)) all.push_back(std::move(map));
  }
  return all;
}

// Several values of every parameter that the algorithm takes, all combinations; each that makes a difference once.
inline std::vector<Parameters> parameters_on(const Algorithm &algorithm, const Topology &topology) {
  constexpr int no_limit = std::numeric_limits<int>::max();
  std::vector<Parameters> all;
  for (const int radix : {2, 3, no_limit}) {
    for (const int block_count : {1, 3, no_limit}) {
      for (const int leaders : {1, 2, 3, no_limit}) {
        for (const Pattern pattern : {Pattern::coalesced, Pattern::staggered}) {
          const Parameters wished{radix, block_count, leaders, pattern};
          const Parameters parameters = effective(algorithm, wished, topology);
          if (std::find(all.begin(), all.end(), parameters) == all.end()) all.push_back(parameters);
        }
      }
    }
  }
  return all;
}

// The algorithms that make something of nodes.
inline std::vector<const Algorithm *> hierarchical_algorithms() {
  return {find_algorithm("tuna_hierarchical"), find_algorithm("node_aggregated"), find_algorithm("tuna_explicit")};
}

inline std::vector<Route> routes_on(const Algorithm &algorithm, const Topology &topology,
                                    const Parameters &parameters) {
  std::vector<Route> routes;
  for (int rank = 0; rank < topology.ranks; ++rank) routes.push_back(algorithm.route(rank, topology, parameters));
  return routes;
}

// For people: "nodes 0 0 1, radix 2, block count 0, leaders 1, pattern coalesced".
inline std::string describe(const Topology &topology, const Parameters &parameters) {
  return fmt::format("nodes {}, radix {}, block count {}, leaders {}, pattern {}", fmt::join(topology.node_of, " "),
                     parameters.radix, parameters.block_count, parameters.leaders, to_string(parameters.pattern));
}

}  // namespace rondo::internal
