// What a caller must know of a communicator to make the arguments of an init, without a handle that is bad ending the
// program.

#include <mpi.h>

#include "api/fault.hpp"
#include "api/find_request.hpp"
#include "api/init.hpp"
#include "wire/mpi_call.hpp"
#include "wire/neighbors.hpp"

using rondo::internal::check_mpi;
using rondo::internal::given;

int RONDO_Comm_size(MPI_Comm comm, int *size) {
  return rondo::internal::guarded([&] {
    given("size", size);
    rondo::internal::check_communicator(comm);
    check_mpi(MPI_Comm_size(comm, size), "MPI_Comm_size");
  });
}

int RONDO_Allgather_sources(MPI_Comm comm, int *sources) {
  return rondo::internal::guarded([&] {
    given("sources", sources);
    rondo::internal::check_communicator(comm, true);
    int inter = 0;
    check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
    if (inter != 0) {
      check_mpi(MPI_Comm_remote_size(comm, sources), "MPI_Comm_remote_size");
    } else {
      check_mpi(MPI_Comm_size(comm, sources), "MPI_Comm_size");
    }
  });
}

int RONDO_Neighbor_counts(MPI_Comm comm, int *sources, int *destinations) {
  return rondo::internal::guarded([&] {
    given("sources", sources);
    given("destinations", destinations);
    rondo::internal::check_communicator(comm);
    const rondo::internal::Neighbors neighbors = rondo::internal::neighbors_of(comm);
    *sources = static_cast<int>(neighbors.sources.size());
    *destinations = static_cast<int>(neighbors.destinations.size());
  });
}
