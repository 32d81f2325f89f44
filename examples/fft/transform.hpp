// The transform of a grid that is divided among the ranks, as local transforms and a transpose between them.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_TRANSFORM_HPP
#define FFT_TRANSFORM_HPP

#include <span>

#include "field.hpp"
#include "grid.hpp"
#include "transpose.hpp"

namespace fft {

// This rank's part: the arrays, and FFTW's plans for what lies in them.
class Transform {
 public:
  Transform(const Problem &problem, int rank);

  // The grid before the transform, [x][y][z], of this rank's x.
  [[nodiscard]] std::span<Element> grid() const { return {x_.get(), x_size_}; }
  // Its transform, [x][y][z], of this rank's y.
  [[nodiscard]] std::span<Element> spectrum() const { return {y_.get(), y_size_}; }
  [[nodiscard]] Arrays arrays() const { return {x_.get(), y_.get()}; }

  // From grid() to spectrum(), and back, then times the number of elements; the source is overwritten. Each returns the
  // seconds of the transpose, which is for these arrays. Collective.
  double forward(Transpose &transpose);
  double backward(Transpose &transpose);

 private:
  std::size_t x_size_;
  std::size_t y_size_;
  Elements x_;
  Elements y_;
  Plan yz_forward_;
  Plan yz_backward_;
  Plan x_forward_;
  Plan x_backward_;
};

}  // namespace fft

#endif
