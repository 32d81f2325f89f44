// SPDX-License-Identifier: BSD-3-Clause
#include "transform.hpp"

#include <mpi.h>

#include <array>

namespace fft {
namespace {

std::size_t volume(int x, int y, int z) {
  return static_cast<std::size_t>(elements({x, y, z}));
}

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

Transform::Transform(const Problem &problem, int rank)
    : x_size_(volume(problem.x.sizes[rank], problem.grid.y, problem.grid.z)),
      y_size_(volume(problem.grid.x, problem.y.sizes[rank], problem.grid.z)),
      x_(allocate(x_size_)),
      y_(allocate(y_size_)),
      yz_forward_(plan_yz(problem.grid, problem.x.sizes[rank], x_.get(), FFTW_FORWARD)),
      yz_backward_(plan_yz(problem.grid, problem.x.sizes[rank], x_.get(), FFTW_BACKWARD)),
      x_forward_(plan_x(problem.grid, problem.y.sizes[rank], y_.get(), FFTW_FORWARD)),
      x_backward_(plan_x(problem.grid, problem.y.sizes[rank], y_.get(), FFTW_BACKWARD)) {}

double Transform::forward(Transpose &transpose) {
  execute(yz_forward_);
  const double seconds = seconds_of([&] { transpose.forward(); });
  execute(x_forward_);
  return seconds;
}

double Transform::backward(Transpose &transpose) {
  execute(x_backward_);
  const double seconds = seconds_of([&] { transpose.backward(); });
  execute(yz_backward_);
  return seconds;
}

}  // namespace fft
