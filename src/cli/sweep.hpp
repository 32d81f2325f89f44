#pragma once

#include <vector>

#include "cli/problem.hpp"

namespace rondo::internal::cli {

enum class Breadth : std::uint8_t { full, quick };

// The problems of a sweep in one process: every algorithm with a route, P = 1..64, radices 2..P (all of them up
// to P = 32), block counts, all distributions; the hierarchical algorithms on nodes of 3, 4 and 8 ranks. A case that
// its algorithm does not serve (a uniform algorithm with blocks of several sizes, exclusive_or off powers of two) is
// not in it. Quick: few P, few parameters.
std::vector<Problem> sweep(Breadth breadth);

// The problems of a sweep over MPI on that many ranks: every algorithm, native and the library's own choice
// included, a few parameters, all distributions, blocks small and large.
std::vector<Problem> mpi_sweep(int ranks, Breadth breadth);

}  // namespace rondo::internal::cli
