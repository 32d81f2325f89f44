// Which vertices can be reached from which, as a relation:
//
//   path(x, z) <- edge(x, z).
//   path(x, z) <- path(x, y), edge(y, z).
//
// A rank holds the paths that end in its vertices, so that it can join them, and look whether they are new, alone.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef TRANSITIVE_CLOSURE_CLOSURE_HPP
#define TRANSITIVE_CLOSURE_CLOSURE_HPP

#include <mpi.h>

#include <span>

#include "relations/answer.hpp"
#include "relations/graph.hpp"
#include "relations/huge_pages.hpp"
#include "relations/outbox.hpp"
#include "relations/pair.hpp"
#include "relations/recent.hpp"
#include "relations/table.hpp"

namespace closure {

// One rank's paths.
class Paths {
 public:
  // The graph outlives this object.
  Paths(const relations::Graph &graph, MPI_Comm comm);

  // One edge further than the paths that are new.
  void derive(relations::Outbox<relations::Pair> &outbox);
  // Takes paths that end here; returns how many of them are new.
  std::size_t absorb(std::span<const std::span<const relations::Pair> > blocks);

  [[nodiscard]] relations::Answer answer() const;

 private:
  const relations::Graph &graph_;
  int ranks_;
  relations::Table<> known_;
  relations::Recent sent_;
  relations::LargeVector<relations::Pair> new_;
};

}  // namespace closure

#endif
