#include "wire/node_access.hpp"

#include "wire/mpi_call.hpp"

namespace rondo {

std::vector<std::int64_t> MpiNodeAccess::gather(std::int64_t mine) {
  const Node &node = duplicate_.node();
  std::vector<std::int64_t> all(static_cast<std::size_t>(node.local_ranks()));
  check_mpi(MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, node.comm()), "MPI_Allgather");
  return all;
}

void MpiNodeAccess::barrier() {
  check_mpi(MPI_Barrier(duplicate_.node().comm()), "MPI_Barrier");
}

}  // namespace rondo
