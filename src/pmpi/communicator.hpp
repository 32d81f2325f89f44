#pragma once

// What is kept for a communicator of the program's, as an attribute of it.

#include <mpi.h>

#include <memory>

namespace rondo::pmpi {

class Communicator {
 public:
  explicit Communicator(MPI_Comm comm);

  // Whether calls on it may be taken over, as all its ranks answer: it is an intracommunicator of several ranks, all
  // of this MPI_COMM_WORLD. (If one rank is of another world, no rank has all others in its own.)
  [[nodiscard]] bool served() const { return served_; }
  // Whether calls between neighbours may be, too: it has a topology, and not one whose blocks the MPI libraries mix up
  // (docs/limits.md), as a program may count on that.
  [[nodiscard]] bool serves_neighbors() const;

  [[nodiscard]] MPI_Comm comm() const { return *handle_; }
  // MPI_COMM_NULL once the program has freed it.
  [[nodiscard]] const std::shared_ptr<MPI_Comm> &handle() const { return handle_; }

 private:
  std::shared_ptr<MPI_Comm> handle_;
  bool served_ = false;
};

// Null where calls on it are not Rondo's affair: a null or bad communicator, or no MPI_COMM_WORLD. Local.
Communicator *communicator(MPI_Comm comm);

// Called by MPI_Finalize.
void close_communicators();

}  // namespace rondo::pmpi
