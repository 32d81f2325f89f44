// SPDX-License-Identifier: BSD-3-Clause
#include "transform.hpp"

#include <mpi.h>

#include <array>
#include <utility>

namespace fft {
namespace {

// Of every plane of a slab of x.
Plan plan_yz(const Grid &grid, int planes, Element *array, int sign) {
  if (planes == 0) return nullptr;
  const std::array sizes = {grid.y, grid.z};
  return Plan(fftw_plan_many_dft(2, sizes.data(), planes, fftw(array), nullptr, 1, grid.y * grid.z, fftw(array),
                                 nullptr, 1, grid.y * grid.z, sign, FFTW_MEASURE));
}

// Of every column of a slab of y, whose elements lie one plane apart.
Plan plan_x(const Grid &grid, int planes, Element *array, int sign) {
  if (planes == 0) return nullptr;
  const int columns = planes * grid.z;
  return Plan(fftw_plan_many_dft(1, &grid.x, columns, fftw(array), nullptr, columns, 1, fftw(array), nullptr, columns,
                                 1, sign, FFTW_MEASURE));
}

void execute(const Plan &plan) {
  if (plan) fftw_execute(plan.get());
}

template <class Work>
double seconds_of(Work &&work) {
  const double begin = MPI_Wtime();
  work();
  return MPI_Wtime() - begin;
}

}  // namespace

Transform::Transform(const Problem &problem, int rank, std::unique_ptr<Transpose> transpose)
    : transpose_(std::move(transpose)),
      arrays_(transpose_->arrays()),
      x_size_(slab_of_x(problem, rank)),
      y_size_(slab_of_y(problem, rank)),
      yz_forward_(plan_yz(problem.grid, problem.x.sizes[rank], arrays_.x, FFTW_FORWARD)),
      yz_backward_(plan_yz(problem.grid, problem.x.sizes[rank], arrays_.x, FFTW_BACKWARD)),
      x_forward_(plan_x(problem.grid, problem.y.sizes[rank], arrays_.y, FFTW_FORWARD)),
      x_backward_(plan_x(problem.grid, problem.y.sizes[rank], arrays_.y, FFTW_BACKWARD)) {}

double Transform::forward() {
  execute(yz_forward_);
  const double seconds = seconds_of([&] { transpose_->forward(); });
  execute(x_forward_);
  return seconds;
}

double Transform::backward() {
  execute(x_backward_);
  const double seconds = seconds_of([&] { transpose_->backward(); });
  execute(yz_backward_);
  return seconds;
}

}  // namespace fft
