// Semi-naive evaluation on all ranks: what was new in one round is joined, what follows goes to the ranks that hold it,
// and what they did not have yet is new in the next.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_FIXED_POINT_HPP
#define RELATIONS_FIXED_POINT_HPP

#include <mpi.h>

#include <concepts>
#include <functional>
#include <span>
#include <vector>

#include "relations/exchange.hpp"
#include "relations/outbox.hpp"
#include "relations/rounds.hpp"
#include "shared/on_root.hpp"

namespace relations {

// A rank's part of a program's relations.
template <class Part, class Tuple>
concept PartOf = requires(Part &part, Outbox<Tuple> &outbox, std::span<const std::span<const Tuple> > blocks) {
  part.derive(outbox);                                          // what follows from what is new
  { part.absorb(blocks) } -> std::convertible_to<std::size_t>;  // how many of the tuples in these are new
};

// Called after each round with its number, from 1, and the new tuples of all ranks.
using RoundWatcher = std::function<void(int round, long long tuples)>;

// Runs rounds until one brings nothing new to any rank, and returns this rank's. Collective.
template <class Tuple, PartOf<Tuple> Part>
std::vector<Round> run_to_fixed_point(Part &part, Exchange<Tuple> &exchange, MPI_Comm comm, const RoundWatcher &watch) {
  const int rank = example::rank_in(comm);
  std::vector<Round> rounds;
  for (long long found = 1; found > 0;) {
    Outbox<Tuple> outbox(example::ranks_of(comm), exchange);
    part.derive(outbox);
    exchange.prepare(outbox);
    const double begin = MPI_Wtime();
    const auto incoming = exchange.run();
    const double seconds = MPI_Wtime() - begin;
    const auto own = static_cast<long long>(part.absorb(incoming));
    MPI_Allreduce(&own, &found, 1, MPI_LONG_LONG, MPI_SUM, comm);
    const auto away = static_cast<long long>(outbox.tuples_beside(rank));
    rounds.push_back({own, away * static_cast<long long>(sizeof(Tuple)), seconds, seconds});
    watch(static_cast<int>(rounds.size()), found);
  }
  return rounds;
}

}  // namespace relations

#endif
