// The ways to transform the grid that are measured against each other, and checked.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_CONTENDER_HPP
#define FFT_CONTENDER_HPP

#include <mpi.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "field.hpp"
#include "grid.hpp"
#include "transpose.hpp"

namespace fft {

// This rank's planes of y of a spectrum, [x][y][z].
struct SpectrumPart {
  int first = 0;
  int planes = 0;
  std::vector<Element> elements;
};

class Contender {
 public:
  explicit Contender(std::string name) : name_(std::move(name)) {}
  virtual ~Contender() = default;
  [[nodiscard]] const std::string &name() const { return name_; }

  // This rank's planes of the grid, from the first of these on.
  [[nodiscard]] virtual std::span<Element> grid() = 0;
  [[nodiscard]] virtual int first_plane() const = 0;
  // From the grid to the spectrum and back, times the number of elements. Return the seconds in the exchange, where
  // that can be told. Collective.
  virtual std::optional<double> forward() = 0;
  virtual std::optional<double> backward() = 0;
  [[nodiscard]] virtual SpectrumPart spectrum() const = 0;

 private:
  std::string name_;
};

// The transform with this transpose; the problem outlives it.
[[nodiscard]] std::unique_ptr<Contender> make_contender(const std::string &name, const Problem &problem, int rank,
                                                        std::unique_ptr<Transpose> transpose);

// FFTW's own transform on MPI, with the same blocks, or with its own where the slabs are even; null where it is not
// there, or does not transpose this grid. Collective.
[[nodiscard]] std::unique_ptr<Contender> make_fftw_mpi(const Problem &problem, MPI_Comm comm);

}  // namespace fft

#endif
