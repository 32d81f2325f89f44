// SPDX-License-Identifier: BSD-3-Clause
#include "conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "residual.hpp"
#include "shared/on_root.hpp"

namespace cg {
namespace {

[[noreturn]] void fail_indefinite(int iteration, double curvature) {
  std::ostringstream text;
  text << "the matrix is not positive definite: p'Ap is " << curvature << " in iteration " << iteration;
  throw example::CollectiveError(text.str());
}

// The state between iterations. The search direction p is the halo's own values.
class Iteration {
 public:
  Iteration(const LocalBlock &block, Halo &halo, std::span<const double> b, MPI_Comm comm)
      : block_(block), halo_(halo), comm_(comm), residual_(block.rows, b, comm), x_(b.size()), product_(b.size()) {
    const auto z = residual_.preconditioned();
    std::copy(z.begin(), z.end(), halo_.own().begin());
  }

  void step(int number) {
    const auto p = halo_.own();
    halo_.update();
    multiply(block_.rows, halo_.values(), product_);
    const double curvature = dot(p, product_, comm_);
    // Written so that a NaN fails too.
    if (!(curvature > 0)) fail_indefinite(number, curvature);
    const double before = residual_.r_dot_z();
    const double length = before / curvature;
    for (std::size_t i = 0; i < p.size(); ++i) x_[i] += length * p[i];
    residual_.subtract(length, product_);
    turn(residual_.r_dot_z() / before);
  }

  [[nodiscard]] double residual_norm() const { return residual_.norm(); }
  [[nodiscard]] std::vector<double> take_x() { return std::move(x_); }

 private:
  void turn(double share_of_old) {
    const auto p = halo_.own();
    const auto z = residual_.preconditioned();
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + share_of_old * p[i];
  }

  const LocalBlock &block_;
  Halo &halo_;
  MPI_Comm comm_;
  Residual residual_;
  std::vector<double> x_;
  std::vector<double> product_;  // A p
};

}  // namespace

std::vector<double> multiply_ones(const LocalBlock &block, Halo &halo) {
  std::vector<double> b(halo.own().size());
  std::fill(halo.own().begin(), halo.own().end(), 1.0);
  halo.update();
  multiply(block.rows, halo.values(), b);
  return b;
}

Solution solve(const LocalBlock &block, Halo &halo, std::span<const double> b, const StoppingRule &rule, MPI_Comm comm,
               const IterationWatcher &watch) {
  Iteration iteration(block, halo, b, comm);
  const double norm_of_b = iteration.residual_norm();
  if (norm_of_b == 0)
    throw example::CollectiveError("the matrix is not positive definite: its product with ones is zero");
  Solution solution;
  solution.relative_residual = 1;
  while (solution.relative_residual > rule.tolerance && solution.iterations < rule.most_iterations) {
    iteration.step(++solution.iterations);
    solution.relative_residual = iteration.residual_norm() / norm_of_b;
    watch(solution.iterations, solution.relative_residual);
  }
  solution.converged = solution.relative_residual <= rule.tolerance;
  solution.x = iteration.take_x();
  return solution;
}

double distance_from_ones(std::span<const double> x, MPI_Comm comm) {
  double distance = 0;
  for (const double element : x) distance = std::max(distance, std::abs(element - 1));
  MPI_Allreduce(MPI_IN_PLACE, &distance, 1, MPI_DOUBLE, MPI_MAX, comm);
  return distance;
}

}  // namespace cg
