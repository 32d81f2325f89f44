// SPDX-License-Identifier: BSD-3-Clause
#include "shortest.hpp"

#include "relations/hash.hpp"
#include "shared/on_root.hpp"

namespace paths {

ShortestPaths::ShortestPaths(const relations::Graph &graph, std::span<const std::uint32_t> sources, MPI_Comm comm)
    : graph_(graph), ranks_(example::ranks_of(comm)) {
  const int rank = example::rank_in(comm);
  for (const auto source : sources) {
    const Path empty{source, source, 0};
    if (relations::owner(source, ranks_) == rank && shortens(empty)) new_.push_back(empty);
  }
}

void ShortestPaths::derive(relations::Outbox<Path> &outbox) const {
  relations::visit_fetched(lengths_, new_, ends, [&](const Path &path) {
    // One that was found later in the same round may be shorter still.
    if (lengths_.at(ends(path)) < path.length) return;
    for (const auto &edge : graph_.from(path.vertex))
      outbox.push(relations::owner(edge.to, ranks_), {edge.to, path.source, path.length + edge.length});
  });
}

bool ShortestPaths::shortens(const Path &path) {
  const auto [length, added] = lengths_.add(ends(path));
  if (!added && length <= path.length) return false;
  length = path.length;
  return true;
}

std::size_t ShortestPaths::absorb(std::span<const std::span<const Path> > blocks) {
  new_.clear();
  for (const auto block : blocks) {
    relations::visit_fetched(lengths_, block, ends, [&](const Path &path) {
      if (shortens(path)) new_.push_back(path);
    });
  }
  return new_.size();
}

relations::Answer ShortestPaths::answer() const {
  relations::Answer answer;
  lengths_.for_each([&](relations::Pair pair, std::uint32_t length) {
    add(answer, {relations::first(pair), relations::second(pair), length});
  });
  return answer;
}

}  // namespace paths
