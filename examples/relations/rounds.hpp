// What each round of a fixed point did, and how long it took.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_ROUNDS_HPP
#define RELATIONS_ROUNDS_HPP

#include <mpi.h>

#include <vector>

namespace relations {

struct Round {
  long long tuples = 0;         // new ones, on all ranks
  long long bytes = 0;          // that went from one rank to another
  double exchange_seconds = 0;  // in the exchange, on the rank that was longest in it
  double least_seconds = 0;     // in the exchange, on the rank that came last and so waited for none
};

// Of one rank's rounds, those of all ranks: sums, and the longest and the shortest time. On rank 0. Collective.
[[nodiscard]] std::vector<Round> over_ranks(const std::vector<Round> &own, MPI_Comm comm);

[[nodiscard]] Round total(const std::vector<Round> &rounds);

}  // namespace relations

#endif
