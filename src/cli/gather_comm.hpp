#pragma once

#include <mpi.h>

#include <vector>

#include "cli/problem.hpp"
#include "exchange/exchange.hpp"

namespace rondo::internal::cli {

// The communicator of an all-gather, for as long as an object of this class lives: all ranks of MPI_COMM_WORLD, or an
// intercommunicator between the first of them and the others. Making and ending it is collective.
class GatherComm {
 public:
  GatherComm(const Problem &problem, int rank);
  ~GatherComm();
  GatherComm(const GatherComm &) = delete;
  GatherComm &operator=(const GatherComm &) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }
  // What this rank receives, as the arguments of MPI_Allgatherv have it: of the ranks from which it receives, in order.
  [[nodiscard]] std::vector<int> counts(const Exchange &exchange) const;
  [[nodiscard]] std::vector<int> displacements(const Exchange &exchange) const;

 private:
  [[nodiscard]] std::vector<Extent> received(const Exchange &exchange) const;

  MPI_Comm comm_ = MPI_COMM_WORLD;
  int first_source_ = 0;
  int sources_;
};

}  // namespace rondo::internal::cli
