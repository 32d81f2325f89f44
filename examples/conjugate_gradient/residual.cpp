// SPDX-License-Identifier: BSD-3-Clause
#include "residual.hpp"

#include <array>
#include <cmath>
#include <numeric>

namespace cg {
namespace {

double local_dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> inverse_diagonal(const CompressedRows &rows) {
  std::vector<double> inverse(static_cast<std::size_t>(rows.rows()));
  for (int row = 0; row < rows.rows(); ++row)
    for (int i = rows.offsets[row]; i < rows.offsets[row + 1]; ++i)
      if (rows.columns[i] == row) inverse[row] = 1 / rows.values[i];
  return inverse;
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b, MPI_Comm comm) {
  double sum = local_dot(a, b);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  return sum;
}

Residual::Residual(const CompressedRows &rows, std::span<const double> b, MPI_Comm comm)
    : inverse_diagonal_(inverse_diagonal(rows)), r_(b.begin(), b.end()), z_(b.size()), comm_(comm) {
  precondition();
}

void Residual::subtract(double step, std::span<const double> direction) {
  for (std::size_t i = 0; i < r_.size(); ++i) r_[i] -= step * direction[i];
  precondition();
}

double Residual::norm() const {
  return std::sqrt(r_dot_r_);
}

void Residual::precondition() {
  for (std::size_t i = 0; i < r_.size(); ++i) z_[i] = inverse_diagonal_[i] * r_[i];
  // Both sums in one reduction, since what a small reduction costs is its latency.
  std::array<double, 2> sums = {local_dot(r_, z_), local_dot(r_, r_)};
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm_);
  r_dot_z_ = sums[0];
  r_dot_r_ = sums[1];
}

}  // namespace cg
