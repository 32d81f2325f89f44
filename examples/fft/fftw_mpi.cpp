// SPDX-License-Identifier: BSD-3-Clause
#include <fftw3-mpi.h>

#include <array>

#include "contender.hpp"

namespace fft {
namespace {

// Leaves the spectrum in the order [y][x][z], which saves it a second exchange.
class FftwMpi : public Contender {
 public:
  FftwMpi(const Problem &problem, MPI_Comm comm) : Contender("FFTW-MPI"), shape_(problem.grid) {
    const std::array<std::ptrdiff_t, 3> sizes = {shape_.x, shape_.y, shape_.z};
    const std::ptrdiff_t room = fftw_mpi_local_size_many_transposed(
        3, sizes.data(), 1, problem.x_block, problem.y_block, comm, &x_planes_, &x_first_, &y_planes_, &y_first_);
    array_ = allocate(static_cast<std::size_t>(room));
    const auto plan = [&](std::ptrdiff_t block_in, std::ptrdiff_t block_out, int sign, unsigned order) {
      return Plan(fftw_mpi_plan_many_dft(3, sizes.data(), 1, block_in, block_out, fftw(array_.get()),
                                         fftw(array_.get()), comm, sign, FFTW_MEASURE | order));
    };
    forward_ = plan(problem.x_block, problem.y_block, FFTW_FORWARD, FFTW_MPI_TRANSPOSED_OUT);
    backward_ = plan(problem.y_block, problem.x_block, FFTW_BACKWARD, FFTW_MPI_TRANSPOSED_IN);
  }

  std::span<Element> grid() override {
    return {array_.get(), static_cast<std::size_t>(x_planes_ * shape_.y * shape_.z)};
  }
  int first_plane() const override { return static_cast<int>(x_first_); }
  std::optional<double> forward() override {
    fftw_execute(forward_.get());
    return std::nullopt;
  }
  std::optional<double> backward() override {
    fftw_execute(backward_.get());
    return std::nullopt;
  }
  SpectrumPart spectrum() const override {
    SpectrumPart part{static_cast<int>(y_first_), static_cast<int>(y_planes_), {}};
    for (int x = 0; x < shape_.x; ++x)
      for (std::ptrdiff_t y = 0; y < y_planes_; ++y) {
        const Element *row = array_.get() + (y * shape_.x + x) * shape_.z;
        part.elements.insert(part.elements.end(), row, row + shape_.z);
      }
    return part;
  }

 private:
  Grid shape_;
  std::ptrdiff_t x_planes_ = 0;
  std::ptrdiff_t x_first_ = 0;
  std::ptrdiff_t y_planes_ = 0;
  std::ptrdiff_t y_first_ = 0;
  Elements array_;
  Plan forward_;
  Plan backward_;
};

}  // namespace

std::unique_ptr<Contender> make_fftw_mpi(const Problem &problem, MPI_Comm comm) {
  // FFTW drops directions of one element, and then exchanges others than x and y, or makes no plan.
  if (problem.grid.x == 1 || problem.grid.y == 1) return nullptr;
  fftw_mpi_init();
  return std::make_unique<FftwMpi>(problem, comm);
}

}  // namespace fft
