#pragma once

// Where ranks make links for calls that do not wait: in collective calls that may.
//
// A collective call on a communicator that has had calls that do not wait makes links for it. All its ranks have the
// same number of them behind it. A communicator may have such calls alone, though: PETSc has one with a topology for
// the halo of each matrix and direction, and its collective calls are on another one of the same ranks. So
// communicators with a topology that the same ranks in the same order have made are numbered, as their ranks all make
// them in one order; and in some of their collective calls, on whatever communicator, these ranks find out whether one
// of them wants links on all ranks, and has had the same number of calls on each. If so, they make its links there.
// They ask in the 16th, 32nd, 64th ... of their collective calls after the last of these communicators has been made.

#include <mpi.h>

#include <atomic>
#include <cstdint>

namespace rondo::internal {
class Duplicate;
}

namespace rondo::internal::pmpi {

// How many reasons there are in this process to look at collective calls: communicators that want links, and groups of
// ranks that have made communicators with a topology.
extern constinit std::atomic<int> reasons_to_meet;

// In a collective call that may wait, before it: makes the links that are to be made there. Gives the MPI error code.
int meet_in(MPI_Comm comm);

inline int meet_where_wanted(MPI_Comm comm) {
  return reasons_to_meet.load(std::memory_order_relaxed) == 0 ? MPI_SUCCESS : meet_in(comm);
}

// A call that makes a communicator with a topology has given `code` and, where that is MPI_SUCCESS, `made`.
void note_topology(int code, const MPI_Comm *made);

}  // namespace rondo::internal::pmpi
