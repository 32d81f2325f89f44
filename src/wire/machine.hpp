#pragma once

#include <string>

namespace rondo::internal {

// Where a measurement was made; figures mean little without it.
struct Machine {
  std::string processor;  // its model name
  unsigned cores = 1;     // online
};
Machine this_machine();

// What the MPI library calls itself: "MPICH 4.0.2", "Open MPI v4.1.4".
std::string mpi_library();

}  // namespace rondo::internal
