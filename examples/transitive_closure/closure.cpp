// SPDX-License-Identifier: BSD-3-Clause
#include "closure.hpp"

#include <functional>

#include "relations/hash.hpp"
#include "shared/on_root.hpp"

namespace closure {

using relations::Pair;

// The first new paths are empty ones, which are not in the relation: one edge further are the edges.
Paths::Paths(const relations::Graph &graph, MPI_Comm comm) : graph_(graph), ranks_(example::ranks_of(comm)) {
  const int rank = example::rank_in(comm);
  for (std::uint32_t vertex = 0; vertex < graph.vertices(); ++vertex)
    if (relations::owner(vertex, ranks_) == rank) new_.push_back(relations::pair(vertex, vertex));
}

void Paths::derive(relations::Outbox<Pair> &outbox) {
  for (const Pair path : new_) {
    for (const auto &edge : graph_.from(relations::second(path))) {
      const Pair further = relations::pair(relations::first(path), edge.to);
      if (sent_.first_time(further)) outbox.push(relations::owner(edge.to, ranks_), further);
    }
  }
}

std::size_t Paths::absorb(std::span<const std::span<const Pair> > blocks) {
  new_.clear();
  for (const auto block : blocks) {
    relations::visit_fetched(known_, block, std::identity{}, [&](Pair path) {
      if (known_.add(path).added) new_.push_back(path);
    });
  }
  return new_.size();
}

relations::Answer Paths::answer() const {
  relations::Answer answer;
  known_.for_each([&](Pair path, relations::NoValue) { answer.add(path); });
  return answer;
}

}  // namespace closure
