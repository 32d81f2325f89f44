// The transform of a grid that is divided among the ranks, as local transforms and a transpose between them.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_TRANSFORM_HPP
#define FFT_TRANSFORM_HPP

#include <memory>
#include <span>

#include "field.hpp"
#include "grid.hpp"
#include "transpose.hpp"

namespace fft {

// This rank's part: FFTW's plans for what lies in the arrays of a transpose.
class Transform {
 public:
  Transform(const Problem &problem, int rank, std::unique_ptr<Transpose> transpose);

  // The grid before the transform, [x][y][z], of this rank's x.
  [[nodiscard]] std::span<Element> grid() const { return {arrays_.x, x_size_}; }
  // Its transform, [x][y][z], of this rank's y.
  [[nodiscard]] std::span<Element> spectrum() const { return {arrays_.y, y_size_}; }

  // From grid() to spectrum(), and back, then times the number of elements; the source is overwritten. Each returns the
  // seconds of the transpose. Collective.
  double forward();
  double backward();

 private:
  std::unique_ptr<Transpose> transpose_;
  Arrays arrays_;
  std::size_t x_size_;
  std::size_t y_size_;
  Plan yz_forward_;
  Plan yz_backward_;
  Plan x_forward_;
  Plan x_backward_;
};

}  // namespace fft

#endif
