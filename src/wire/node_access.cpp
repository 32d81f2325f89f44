#include "wire/node_access.hpp"

#include "wire/mpi_call.hpp"

namespace rondo::internal {

void MpiNodeAccess::gather(std::int64_t mine, std::span<std::int64_t> all) {
  const MPI_Comm comm = duplicate_.node().comm();
  check_mpi(MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, comm), "MPI_Allgather");
}

void MpiNodeAccess::barrier() {
  check_mpi(MPI_Barrier(duplicate_.node().comm()), "MPI_Barrier");
}

}  // namespace rondo::internal
