// Whether a contender transforms as FFTW does alone, and back again.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_CHECK_HPP
#define FFT_CHECK_HPP

#include <mpi.h>

#include <vector>

#include "contender.hpp"
#include "field.hpp"
#include "grid.hpp"

namespace fft {

// FFTW's transform of the whole grid; on rank 0 only.
class SerialSpectrum {
 public:
  // Collective. Throws CollectiveError where rank 0 has not the memory for it.
  SerialSpectrum(const Grid &grid, MPI_Comm comm);

  // The largest distance of an element of the part from its own here.
  [[nodiscard]] double distance(const SpectrumPart &part) const;
  // The root of the mean square of an element.
  [[nodiscard]] double magnitude() const;

 private:
  Grid grid_;
  Elements elements_;
};

// The largest error of the spectrum, and of the grid behind a transform and back, each by the magnitude of an element;
// known to all ranks. Throws CollectiveError where it is more than rounding. Collective.
double check(Contender &contender, const SerialSpectrum &serial, const Grid &grid, MPI_Comm comm);

}  // namespace fft

#endif
