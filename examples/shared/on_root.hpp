// Work that only rank 0 does, with its failure told to all: every rank leaves in order and one speaks.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_ON_ROOT_HPP
#define EXAMPLE_ON_ROOT_HPP

#include <mpi.h>

#include <functional>
#include <stdexcept>

namespace example {

// A fault that every rank throws, with the same message on all.
struct CollectiveError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[nodiscard]] int rank_in(MPI_Comm comm);
[[nodiscard]] int ranks_of(MPI_Comm comm);

// Runs work on rank 0. If it throws there, every rank throws CollectiveError. Collective.
void on_root(MPI_Comm comm, const std::function<void()> &work);

// The exit status of a program of this name that does this work on all ranks. Of a CollectiveError rank 0 tells;
// another fault may be one rank's alone, for which the others may be waiting: it ends the program on all.
[[nodiscard]] int status_of(const char *program, MPI_Comm comm, const std::function<void()> &work);

}  // namespace example

#endif
