#include "wire/neighbor_order.hpp"

#include <array>

#include "exchange/error.hpp"
#include "wire/mpi_call.hpp"
#include "wire/neighbors.hpp"
#include "wire/owned_comm.hpp"
#include "wire/user_errors_returned.hpp"

namespace rondo::internal {

namespace {

// The entries of a grid of one rank with two periodic dimensions, or of a graph of one rank with four edges to itself.
// With one dimension, or two edges, a library that reverses all entries would look like one that exchanges the two
// entries of each dimension.
constexpr int entries = 4;

// A communicator of this rank alone. Not MPI_COMM_SELF, which a program that has only sessions does not have.
OwnedComm make_alone(MPI_Comm comm) {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group own = MPI_GROUP_NULL;
  int rank = 0;
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Comm_group(comm, &all), "MPI_Comm_group");
  MPI_Group_incl(all, 1, &rank, &own);
  MPI_Comm alone = MPI_COMM_NULL;
  const int code = MPI_Comm_create_group(comm, own, 0, &alone);
  MPI_Group_free(&own);
  MPI_Group_free(&all);
  check_mpi(code, "MPI_Comm_create_group");
  return OwnedComm(alone);
}

OwnedComm make_topology(int topology, MPI_Comm alone) {
  MPI_Comm made = MPI_COMM_NULL;
  if (topology == MPI_CART) {
    const int lengths[] = {1, 1};
    const int periodic[] = {1, 1};
    check_mpi(MPI_Cart_create(alone, 2, lengths, periodic, 0, &made), "MPI_Cart_create");
  } else if (topology == MPI_GRAPH) {
    const int edges[entries] = {};
    check_mpi(MPI_Graph_create(alone, 1, &entries, edges, 0, &made), "MPI_Graph_create");
  } else {
    const int edges[entries] = {};
    check_mpi(MPI_Dist_graph_create_adjacent(alone, entries, edges, MPI_UNWEIGHTED, entries, edges, MPI_UNWEIGHTED,
                                             MPI_INFO_NULL, 0, &made),
              "MPI_Dist_graph_create_adjacent");
  }
  return OwnedComm(made);
}

// Tries it with the non-blocking call: the libraries use its schedule for the persistent call, too.
bool mixes_up(int topology, MPI_Comm comm) {
  const UserErrorsReturned returned(comm);
  const OwnedComm alone = make_alone(comm);
  const OwnedComm made = make_topology(topology, alone.get());
  const std::array<int, entries> counts = {1, 1, 1, 1};
  const std::array<int, entries> displacements = {0, 1, 2, 3};
  const std::array<int, entries> sent = {0, 1, 2, 3};
  std::array<int, entries> received{};
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ineighbor_alltoallv(sent.data(), counts.data(), displacements.data(), MPI_INT, received.data(),
                                    counts.data(), displacements.data(), MPI_INT, made.get(), &request),
            "MPI_Ineighbor_alltoallv");
  // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it does not know the call
  check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  const std::array<int, entries> in_a_grid = {1, 0, 3, 2};
  return received != (topology == MPI_CART ? in_a_grid : sent);
}

bool ask_once(MPI_Comm comm) {
  const int topology = topology_of(comm);
  if (topology == MPI_CART) {
    static const bool grid = mixes_up(MPI_CART, comm);
    return grid;
  }
  if (topology == MPI_GRAPH) {
    static const bool graph = mixes_up(MPI_GRAPH, comm);
    return graph;
  }
  static const bool distributed_graph = mixes_up(MPI_DIST_GRAPH, comm);
  return distributed_graph;
}

}  // namespace

// MPI libraries have so many communicators and no more.
bool library_mixes_up_repeated_neighbors(MPI_Comm comm) {
  try {
    return ask_once(comm);
  } catch (const Error &error) {
    if (error.fault == Fault::mpi) return true;
    throw;
  }
}

}  // namespace rondo::internal
