#pragma once

#include <mpi.h>

namespace rondo::internal::cli {

// The first ranks of MPI_COMM_WORLD, with a communicator of their own, while the others are out of the way: these sleep
// at the end of the scope until all have come there. Making and ending it is collective over MPI_COMM_WORLD.
class FirstRanks {
 public:
  explicit FirstRanks(int count);
  ~FirstRanks();
  FirstRanks(const FirstRanks &) = delete;
  FirstRanks &operator=(const FirstRanks &) = delete;

  [[nodiscard]] bool has_this_one() const { return comm_ != MPI_COMM_NULL; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace rondo::internal::cli
