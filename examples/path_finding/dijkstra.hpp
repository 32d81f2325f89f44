// Shortest paths by Dijkstra's search from each source.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef PATH_FINDING_DIJKSTRA_HPP
#define PATH_FINDING_DIJKSTRA_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "relations/answer.hpp"
#include "relations/graph.hpp"

namespace paths {

inline constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

// The length of the shortest path to each vertex.
[[nodiscard]] std::vector<std::uint32_t> search(const relations::Graph &graph, std::uint32_t source);

// The paths from all sources.
[[nodiscard]] relations::Answer search_from(const relations::Graph &graph, std::span<const std::uint32_t> sources);

}  // namespace paths

#endif
