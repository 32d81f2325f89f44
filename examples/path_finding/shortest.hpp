// How far each vertex is from each of some sources, as a relation in which only the least length of a pair stays:
//
//   path(s, s, 0) <- source(s).
//   path(s, w, min(length + l)) <- path(s, v, length), edge(v, w, l).
//
// A rank holds the paths that end in its vertices.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef PATH_FINDING_SHORTEST_HPP
#define PATH_FINDING_SHORTEST_HPP

#include <mpi.h>

#include <cstdint>
#include <span>

#include "path.hpp"
#include "relations/answer.hpp"
#include "relations/graph.hpp"
#include "relations/huge_pages.hpp"
#include "relations/outbox.hpp"
#include "relations/table.hpp"

namespace paths {

// One rank's paths.
class ShortestPaths {
 public:
  // The graph outlives this object.
  ShortestPaths(const relations::Graph &graph, std::span<const std::uint32_t> sources, MPI_Comm comm);

  // One edge further than the paths that have become shorter.
  void derive(relations::Outbox<Path> &outbox) const;
  // Takes paths that end here; returns how many of them were the shortest so far when their turn came.
  std::size_t absorb(std::span<const std::span<const Path> > blocks);

  [[nodiscard]] relations::Answer answer() const;

 private:
  bool shortens(const Path &path);

  const relations::Graph &graph_;
  int ranks_;
  relations::Table<std::uint32_t> lengths_;
  relations::LargeVector<Path> new_;
};

}  // namespace paths

#endif
