#pragma once

#include <mpi.h>

#include <vector>

#include "cli/arguments.hpp"
#include "cli/problem.hpp"
#include "exchange/exchange.hpp"

namespace rondo::internal::cli {

// The communicator of an all-gather, for as long as an object of this class lives: all ranks, or an intercommunicator
// between the first of them and the others. Making and ending it is collective.
class GatherComm {
 public:
  // `exchange` is what this rank sends and receives in the problem, all of whose ranks are those of `all`.
  GatherComm(const Problem &problem, const Exchange &exchange, MPI_Comm all);
  ~GatherComm();
  GatherComm(const GatherComm &) = delete;
  GatherComm &operator=(const GatherComm &) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }
  // Of MPI_Allgatherv: the one block that is sent, and what is received from each rank from which this one receives.
  [[nodiscard]] const Arguments &arguments() const { return arguments_; }

 private:
  MPI_Comm comm_;
  bool own_ = false;  // made here
  Arguments arguments_;
};

}  // namespace rondo::internal::cli
