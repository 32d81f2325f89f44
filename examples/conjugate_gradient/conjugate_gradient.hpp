// The conjugate gradient method with Jacobi's preconditioner (Saad, Iterative Methods for Sparse Linear
// Systems, second edition, algorithm 9.1).
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_CONJUGATE_GRADIENT_HPP
#define CONJUGATE_GRADIENT_CONJUGATE_GRADIENT_HPP

#include <mpi.h>

#include <functional>
#include <span>
#include <vector>

#include "halo.hpp"
#include "partition.hpp"

namespace cg {

struct StoppingRule {
  double tolerance;  // of |r| / |b|
  int most_iterations;
};

struct Solution {
  std::vector<double> x;         // this rank's elements
  int iterations = 0;            // each with one halo exchange
  double relative_residual = 0;  // |r| / |b|
  bool converged = false;
};

// Called after each iteration, on every rank.
using IterationWatcher = std::function<void(int iteration, double relative_residual)>;

// A * ones, so that the solution is known. Sets the halo's values, with one exchange. Collective.
[[nodiscard]] std::vector<double> multiply_ones(const LocalBlock &block, Halo &halo);

// Solves A x = b from x = 0; the search direction lives in the halo's values. Collective. Throws
// CollectiveError when the matrix turns out not to be positive definite.
[[nodiscard]] Solution solve(const LocalBlock &block, Halo &halo, std::span<const double> b, const StoppingRule &rule,
                             MPI_Comm comm, const IterationWatcher &watch);

// The largest distance of an element of x from 1, over all ranks. Collective.
[[nodiscard]] double distance_from_ones(std::span<const double> x, MPI_Comm comm);

}  // namespace cg

#endif
