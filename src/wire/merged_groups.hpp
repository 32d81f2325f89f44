#pragma once

#include <mpi.h>

namespace rondo::internal {

// Gives both groups of an intercommunicator in one communicator, and the first rank of the second group. Collective;
// throws Error (mpi).
int merge_groups(MPI_Comm inter, MPI_Comm *whole);

}  // namespace rondo::internal
