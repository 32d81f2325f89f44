// Which paths are wanted, beside the graph.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef PATH_FINDING_PROBLEM_HPP
#define PATH_FINDING_PROBLEM_HPP

#include <cstdint>
#include <vector>

#include "relations/graph.hpp"

namespace paths {

// So many different vertices, evenly spread over their numbers; all of them where there are not so many.
[[nodiscard]] std::vector<std::uint32_t> spread_sources(const relations::Graph &graph, int count);

// The same edges with lengths from 1 to `longest`, drawn by a hash of the two vertices, so that both directions of an
// edge are as long as each other.
[[nodiscard]] relations::Graph with_drawn_lengths(const relations::Graph &graph, int longest);

}  // namespace paths

#endif
