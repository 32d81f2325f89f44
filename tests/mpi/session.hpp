#pragma once

#include <mpi.h>

namespace rondo {

// Of MPI_COMM_WORLD.
int world_rank();
int world_ranks();

// The main of every program here: runs all tests on all ranks, and gives the same exit status on all, 0 only when
// no test has failed on any rank. Rank 0 prints as GoogleTest does, the others only their failures, with their
// rank. A test that takes longer than two minutes ends the program with its name.
int run_tests(int argc, char **argv, int thread_level);

}  // namespace rondo
