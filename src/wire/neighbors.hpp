#pragma once

#include <mpi.h>

#include <vector>

namespace rondo::internal {

// Whom a communicator with a topology makes this rank's neighbours, in the order of MPI's neighbourhood collectives
// (MPI-4.0, section 8.6).
struct Neighbors {
  std::vector<int> sources;       // by entry of the receive arrays; MPI_PROC_NULL where a grid ends
  std::vector<int> destinations;  // by entry of the send arrays
  // The order in which blocks from one and the same source are matched with those that it sends. In a grid what a
  // rank sends in the negative direction arrives from the positive one, also where both lead to the same rank.
  std::vector<int> matching;
  bool repeated = false;  // a rank is named more than once among the sources, or among the destinations
  bool cyclic = false;    // both lists are of different ranks that exist and ascend, from whichever is the first one

  bool operator==(const Neighbors &) const = default;
};

// MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH, or MPI_UNDEFINED where there is none. Local. Throws Error (mpi).
int topology_of(MPI_Comm comm);

// Whether it is a grid in which both directions of a dimension lead to the same rank. Local; takes no memory.
bool is_folded(MPI_Comm comm);

// Local. Throws Error (comm) where there is no topology.
Neighbors neighbors_of(MPI_Comm comm);

}  // namespace rondo::internal
