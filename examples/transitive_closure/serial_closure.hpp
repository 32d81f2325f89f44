// The transitive closure by a search from every vertex.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef TRANSITIVE_CLOSURE_SERIAL_CLOSURE_HPP
#define TRANSITIVE_CLOSURE_SERIAL_CLOSURE_HPP

#include "relations/answer.hpp"
#include "relations/graph.hpp"

namespace closure {

[[nodiscard]] relations::Answer search_from_all(const relations::Graph &graph);

}  // namespace closure

#endif
