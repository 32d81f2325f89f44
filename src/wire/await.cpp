#include "wire/await.hpp"

#include <cstring>

#include "wire/mpi_call.hpp"
#include "wire/patience.hpp"

namespace rondo::internal {

// How many cores the ranks have may not be known yet: the core is given away early.
void await(MPI_Request *request, Meanwhile meanwhile) {
  Waiting waiting({.spins = 1000, .looks = 0, .yields = 1 << 30});
  for (int complete = 0;;) {
    check_mpi(MPI_Test(request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (complete != 0) return;
    if (meanwhile != nullptr) meanwhile();
    waiting.pause();
  }
}

void gather_bytes(MPI_Comm comm, const void *mine, void *all, std::size_t bytes, Meanwhile meanwhile) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  if (ranks == 1) {  // see agree() in wire/agreement.cpp
    std::memcpy(all, mine, bytes);
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  const int count = static_cast<int>(bytes);
  check_mpi(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, comm, &request), "MPI_Iallgather");
  await(&request, meanwhile);
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): that is its wait

}  // namespace rondo::internal
