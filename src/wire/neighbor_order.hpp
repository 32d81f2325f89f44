#pragma once

#include <mpi.h>

namespace rondo::internal {

// Whether the MPI library's own neighbourhood calls give the blocks of a neighbour that is named more than once to the
// wrong entries, on topologies of this communicator's kind (Cartesian, graph, distributed graph). The rule is
// MPI-4.0's, section 8.6: what a grid sends in one direction arrives from the other; the k-th edge of a graph to a rank
// matches the k-th edge from it. MPICH and Open MPI have both broken it, in ways that differ from release to release,
// so the library is asked: the first question about a kind makes a small topology of this rank alone and exchanges in
// it. True where that fails, and then asked again the next time. Local.
bool library_mixes_up_repeated_neighbors(MPI_Comm comm);

}  // namespace rondo::internal
