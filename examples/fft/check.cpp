// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "shared/on_root.hpp"

namespace fft {
namespace {

// Errors grow with the logarithm of the number of elements, a wrong element is about 1 off.
constexpr double kMostError = 1e-12;
constexpr double kInputMagnitude = 0.408;  // of numbers spread evenly from -0.5 to 0.5, in two parts

void send(const SpectrumPart &part, MPI_Comm comm) {
  MPI_Send(&part.first, 1, MPI_INT, 0, 0, comm);
  MPI_Send(&part.planes, 1, MPI_INT, 0, 0, comm);
  MPI_Send(part.elements.data(), static_cast<int>(part.elements.size()), MPI_CXX_DOUBLE_COMPLEX, 0, 0, comm);
}

SpectrumPart receive(const Grid &grid, int rank, MPI_Comm comm) {
  SpectrumPart part;
  MPI_Recv(&part.first, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE);
  MPI_Recv(&part.planes, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE);
  part.elements.resize(static_cast<std::size_t>(elements({grid.x, part.planes, grid.z})));
  MPI_Recv(part.elements.data(), static_cast<int>(part.elements.size()), MPI_CXX_DOUBLE_COMPLEX, rank, 0, comm,
           MPI_STATUS_IGNORE);
  return part;
}

double spectrum_error(const Contender &contender, const SerialSpectrum &serial, const Grid &grid, MPI_Comm comm) {
  const auto own = contender.spectrum();
  if (example::rank_in(comm) != 0) {
    send(own, comm);
    return 0;
  }
  double largest = serial.distance(own);
  for (int rank = 1; rank < example::ranks_of(comm); ++rank)
    largest = std::max(largest, serial.distance(receive(grid, rank, comm)));
  return largest / serial.magnitude();
}

double identity_error(std::span<const Element> found, int first, const Grid &grid) {
  const auto expected = allocate(found.size());
  fill({expected.get(), found.size()}, grid, first);
  const auto all = static_cast<double>(elements(grid));
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) largest = std::max(largest, std::abs(found[i] / all - expected[i]));
  return largest / kInputMagnitude;
}

}  // namespace

SerialSpectrum::SerialSpectrum(const Grid &grid, MPI_Comm comm) : grid_(grid) {
  example::on_root(comm, [&] {
    const auto size = static_cast<std::size_t>(elements(grid));
    elements_ = allocate(size);
    const Plan plan(fftw_plan_dft_3d(grid.x, grid.y, grid.z, fftw(elements_.get()), fftw(elements_.get()), FFTW_FORWARD,
                                     FFTW_ESTIMATE));
    fill({elements_.get(), size}, grid, 0);
    fftw_execute(plan.get());
  });
}

double SerialSpectrum::distance(const SpectrumPart &part) const {
  double largest = 0;
  auto element = part.elements.begin();
  for (std::ptrdiff_t x = 0; x < grid_.x; ++x)
    for (std::ptrdiff_t y = part.first; y < part.first + part.planes; ++y)
      for (std::ptrdiff_t z = 0; z < grid_.z; ++z, ++element) {
        const double error = std::abs(*element - elements_[(x * grid_.y + y) * grid_.z + z]);
        largest = std::max(largest, error);
      }
  return largest;
}

double SerialSpectrum::magnitude() const {
  const auto size = elements(grid_);
  double sum = 0;
  for (long long i = 0; i < size; ++i) sum += std::norm(elements_[i]);
  return std::sqrt(sum / static_cast<double>(size));
}

double check(Contender &contender, const SerialSpectrum &serial, const Grid &grid, MPI_Comm comm) {
  fill(contender.grid(), grid, contender.first_plane());
  contender.forward();
  double error = spectrum_error(contender, serial, grid, comm);
  contender.backward();
  error = std::max(error, identity_error(contender.grid(), contender.first_plane(), grid));
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, comm);
  if (error <= kMostError) return error;
  std::ostringstream fault;
  fault << contender.name() << ": the serial transform has another answer, by " << error << " of an element";
  throw example::CollectiveError(fault.str());
}

}  // namespace fft
