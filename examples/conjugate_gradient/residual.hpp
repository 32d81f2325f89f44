// The residual of a system of equations, with Jacobi's preconditioner applied to it.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_RESIDUAL_HPP
#define CONJUGATE_GRADIENT_RESIDUAL_HPP

#include <mpi.h>

#include <span>
#include <vector>

#include "compressed_rows.hpp"

namespace cg {

// The inner product of two distributed vectors. Collective.
[[nodiscard]] double dot(std::span<const double> a, std::span<const double> b, MPI_Comm comm);

class Residual {
 public:
  // The residual of x = 0, which is b. The rows are one rank's, their own columns first. Collective.
  Residual(const CompressedRows &rows, std::span<const double> b, MPI_Comm comm);

  // r -= step * direction. Collective.
  void subtract(double step, std::span<const double> direction);

  // z, which is r divided by the diagonal.
  [[nodiscard]] std::span<const double> preconditioned() const { return z_; }
  [[nodiscard]] double r_dot_z() const { return r_dot_z_; }
  [[nodiscard]] double norm() const;

 private:
  void precondition();

  std::vector<double> inverse_diagonal_;
  std::vector<double> r_;
  std::vector<double> z_;
  MPI_Comm comm_;
  double r_dot_z_ = 0;
  double r_dot_r_ = 0;
};

}  // namespace cg

#endif
