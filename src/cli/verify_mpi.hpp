#pragma once

#include <span>
#include <string>

#include "cli/random_problem.hpp"
#include "cli/sweep.hpp"

namespace rondo::internal::cli {

// Starts MPI, plans every problem on its ranks through the public interface, runs it three times with new data
// beside PMPI_Alltoallv (or w, or PMPI_Alltoall of the counts and PMPI_Alltoallv) on the same data, and compares every
// byte. Rank 0 prints; the exit status is the same on all ranks.
int verify_on_mpi(std::span<const std::string> problems, bool sweep, Breadth breadth, const RandomOrder &random);

}  // namespace rondo::internal::cli
