// Time as a parallel program feels it: that of the slowest rank.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_SLOWEST_RANK_HPP
#define EXAMPLE_SLOWEST_RANK_HPP

#include <mpi.h>

#include <utility>

namespace example {

// This rank's seconds in work, begun together with the other ranks. Collective.
template <class Work>
double seconds_after_barrier(MPI_Comm comm, Work &&work) {
  MPI_Barrier(comm);
  const double begin = MPI_Wtime();
  std::forward<Work>(work)();
  return MPI_Wtime() - begin;
}

// The same on the rank that takes longest, for all ranks to know. Collective.
template <class Work>
double slowest_rank_seconds(MPI_Comm comm, Work &&work) {
  double seconds = seconds_after_barrier(comm, std::forward<Work>(work));
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
  return seconds;
}

}  // namespace example

#endif
