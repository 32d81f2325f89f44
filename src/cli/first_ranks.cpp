#include "cli/first_ranks.hpp"

#include <chrono>
#include <thread>

#include "cli/mpi_session.hpp"

namespace rondo::internal::cli {

FirstRanks::FirstRanks(int count) {
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm_split(MPI_COMM_WORLD, rank < count ? 0 : MPI_UNDEFINED, rank, &comm_);
}

FirstRanks::~FirstRanks() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  MPI_Request all_are_here = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &all_are_here);
  // MPI libraries that poll while they wait would take the cores of those that are measured.
  for (int flag = 0; flag == 0;) {
    MPI_Test(&all_are_here, &flag, MPI_STATUS_IGNORE);
    if (flag == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace rondo::internal::cli
