// Elements in memory that is aligned as FFTW likes it, and what they are before a transform.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_FIELD_HPP
#define FFT_FIELD_HPP

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <new>
#include <span>

#include "grid.hpp"

namespace fft {

using Element = std::complex<double>;

struct FreeElements {
  void operator()(Element *elements) const { fftw_free(elements); }
};
using Elements = std::unique_ptr<Element[], FreeElements>;

// Never null, even for none. Throws std::bad_alloc.
[[nodiscard]] inline Elements allocate(std::size_t count) {
  Elements elements(reinterpret_cast<Element *>(fftw_alloc_complex(count + 1)));
  if (!elements) throw std::bad_alloc();
  return elements;
}

[[nodiscard]] inline fftw_complex *fftw(Element *elements) {
  return reinterpret_cast<fftw_complex *>(elements);
}

// A made plan; null does nothing.
struct DestroyPlan {
  void operator()(fftw_plan_s *plan) const { fftw_destroy_plan(plan); }
};
using Plan = std::unique_ptr<fftw_plan_s, DestroyPlan>;

// The planes of x from `first` on: numbers from -0.5 to 0.5 that look random and depend on the place alone.
void fill(std::span<Element> planes, const Grid &grid, int first);

}  // namespace fft

#endif
