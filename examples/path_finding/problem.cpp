// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <algorithm>

#include "relations/hash.hpp"
#include "relations/pair.hpp"

namespace paths {

std::vector<std::uint32_t> spread_sources(const relations::Graph &graph, int count) {
  const auto vertices = std::uint64_t{graph.vertices()};
  const auto sources = std::min(vertices, static_cast<std::uint64_t>(count));
  std::vector<std::uint32_t> result(sources);
  for (std::uint64_t i = 0; i < sources; ++i) result[i] = static_cast<std::uint32_t>(i * vertices / sources);
  return result;
}

relations::Graph with_drawn_lengths(const relations::Graph &graph, int longest) {
  relations::EdgeList list{{graph.names().begin(), graph.names().end()}, {graph.edges().begin(), graph.edges().end()}};
  for (auto &edge : list.edges) {
    const auto [low, high] = std::minmax(edge.from, edge.to);
    edge.length = static_cast<std::uint32_t>(1 + relations::hash(relations::pair(low, high)) % longest);
  }
  return relations::Graph(std::move(list));
}

}  // namespace paths
