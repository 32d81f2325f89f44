#pragma once

#include <mpi.h>

#include <string>

namespace rondo::internal::cli {

// MPI, from here until the end of the scope, on the ranks of MPI_COMM_WORLD; for several threads where that is asked
// for, or RONDO_PROGRESS=thread is. For one, MPI is faster.
class MpiSession {
 public:
  explicit MpiSession(bool several_threads = false);
  ~MpiSession();
  MpiSession(const MpiSession &) = delete;
  MpiSession &operator=(const MpiSession &) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }

 private:
  int rank_ = 0;
  int ranks_ = 1;
};

// This rank's number in the communicator. Local.
int rank_in(MPI_Comm comm);

// Collective: the text of the lowest rank that has one, the same on all ranks; empty when none has.
std::string agreed_text(const std::string &mine, MPI_Comm comm = MPI_COMM_WORLD);

// Collective: a number of seconds, on every rank that of the slowest.
double of_slowest(double seconds, MPI_Comm comm = MPI_COMM_WORLD);

// Collective: whether rank 0 has been asked to stop (see Interruption).
bool all_asked_to_stop(MPI_Comm comm = MPI_COMM_WORLD);

// Collective: whether it is earlier than `end`, as MPI_Wtime says on rank 0, and rank 0 has not been asked to stop.
bool goes_on_until(double end, MPI_Comm comm = MPI_COMM_WORLD);

}  // namespace rondo::internal::cli
