// Times several ways to do the same exchange in one run, so that whatever disturbs the machine disturbs all.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_MEASUREMENT_HPP
#define CONJUGATE_GRADIENT_MEASUREMENT_HPP

#include <mpi.h>

#include <functional>
#include <span>
#include <vector>

#include "contenders.hpp"

namespace cg {

struct Measurement {
  int repetitions = 0;          // those done before the time was up
  std::vector<double> seconds;  // of each contender on the slowest rank, median over repetitions; on rank 0 only
};

// Called now and then, on every rank.
using MeasurementWatcher = std::function<void(int repetitions)>;

// Each repetition runs every contender once, each after prepare() and a barrier, in an order that rotates. Ends after
// `repetitions` of them, or when `budget_seconds` are up. Collective.
[[nodiscard]] Measurement measure(std::span<const Contender> contenders, const std::function<void()> &prepare,
                                  int repetitions, double budget_seconds, MPI_Comm comm,
                                  const MeasurementWatcher &watch);

}  // namespace cg

#endif
