// Times the contenders in one run, so that whatever disturbs the machine disturbs all.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_MEASUREMENT_HPP
#define FFT_MEASUREMENT_HPP

#include <mpi.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "contender.hpp"
#include "grid.hpp"

namespace fft {

// Of a transform and one back, on the slowest rank; the median over the repetitions.
struct Times {
  double seconds = 0;
  std::optional<double> exchange_seconds;
  // The same for the rank that was shortest in each of the two exchanges, which is the one that came last.
  std::optional<double> least_exchange_seconds;
};

// The contenders take turns, in an order that rotates. In a turn one runs a few times in a row, and once before, which
// is not counted: a program has one way to exchange, whose memory is in the caches from the last time, and not what
// others have left there. Collective; the same on all ranks.
[[nodiscard]] std::vector<Times> measure(std::span<const std::unique_ptr<Contender>> contenders, const Grid &grid,
                                         int repetitions, MPI_Comm comm);

}  // namespace fft

#endif
