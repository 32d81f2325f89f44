#pragma once

#include <mpi.h>

#include <vector>

#include "cli/arguments.hpp"
#include "exchange/exchange.hpp"

namespace rondo::internal::cli {

// A communicator with a graph, for as long as an object of this class lives: an edge for each block that is not empty.
// Making and ending it is collective over `all`.
class GraphComm {
 public:
  GraphComm(const Exchange &exchange, MPI_Comm all);
  ~GraphComm() { MPI_Comm_free(&comm_); }
  GraphComm(const GraphComm &) = delete;
  GraphComm &operator=(const GraphComm &) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }
  // Of MPI_Neighbor_alltoallv: by neighbour. Never empty vectors, whose data would be null.
  [[nodiscard]] const Arguments &arguments() const { return arguments_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  Arguments arguments_;
};

}  // namespace rondo::internal::cli
