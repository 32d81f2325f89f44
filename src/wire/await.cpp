#include "wire/await.hpp"

#include "wire/mpi_call.hpp"
#include "wire/patience.hpp"

namespace rondo::internal {

// How many cores the ranks have may not be known yet: the core is given away early.
void await(MPI_Request *request, Meanwhile meanwhile) {
  Waiting waiting({.spins = 100, .looks = 0, .yields = 1 << 30});
  for (int complete = 0;;) {
    check_mpi(MPI_Test(request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    if (complete != 0) return;
    if (meanwhile != nullptr) meanwhile();
    waiting.pause();
  }
}

}  // namespace rondo::internal
