#pragma once

// Communicators that are made of others, on all ranks or on none.

#include <mpi.h>

#include <optional>
#include <utility>

#include "wire/agreement.hpp"
#include "wire/owned_comm.hpp"

namespace rondo::internal {

// Whether it is an intercommunicator. Local; throws Error.
bool joins_groups(MPI_Comm comm);

// What make() makes a communicator of. MPI libraries have so many and no more: where there is none left, that is an
// error of all ranks, and says that this communicator cannot be served. Those of an intercommunicator cannot agree yet.
template <class Make>
OwnedComm made_together(MPI_Comm from, Make &&make) {
  OwnedComm made;
  std::optional<Error> fault = fault_of([&] { made = make(); });
  if (fault && fault->fault == Fault::mpi) fault->fault = Fault::comm;
  if (!joins_groups(from)) {
    agree(from, {}, fault);
  } else if (fault) {
    throw *std::move(fault);
  }
  return made;
}

// As MPI_Comm_split with the rank as the key: nothing where the color is MPI_UNDEFINED. Collective; throws Error, on
// some ranks perhaps.
OwnedComm split(MPI_Comm comm, int color, int rank);

// One with the ranks of the user's in their order, and nothing else of it. Collective; throws Error (comm) where the
// MPI library has none left.
OwnedComm comm_of_ranks(MPI_Comm user, int rank);

// A duplicate of a communicator. Collective; takes no memory of Rondo's. Throws Error (comm) where the MPI library has
// none left.
OwnedComm duplicate_of(MPI_Comm comm);

}  // namespace rondo::internal
