// A graph on all ranks, and the edges that leave a vertex.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_GRAPH_HPP
#define RELATIONS_GRAPH_HPP

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "relations/edge_list.hpp"
#include "relations/session.hpp"

namespace relations {

class Graph {
 public:
  explicit Graph(EdgeList list);

  [[nodiscard]] std::uint32_t vertices() const { return static_cast<std::uint32_t>(list_.names.size()); }
  [[nodiscard]] std::span<const Edge> edges() const { return list_.edges; }
  [[nodiscard]] std::span<const Edge> from(std::uint32_t vertex) const {
    return edges().subspan(offsets_[vertex], offsets_[vertex + 1] - offsets_[vertex]);
  }
  // What the file calls the vertices.
  [[nodiscard]] std::span<const std::uint32_t> names() const { return list_.names; }

 private:
  EdgeList list_;
  std::vector<std::size_t> offsets_;  // of each vertex's edges, and their end
};

// Rank 0 reads the file, and all get the graph. Throws example::CollectiveError when it is broken. Collective.
[[nodiscard]] Graph read_graph(const Session &session, const std::string &path);

}  // namespace relations

#endif
