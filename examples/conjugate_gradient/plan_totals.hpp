// What Rondo planned, over all ranks.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_PLAN_TOTALS_HPP
#define CONJUGATE_GRADIENT_PLAN_TOTALS_HPP

#include <mpi.h>

#include <rondo/rondo.hpp>
#include <string>

namespace cg {

struct PlanTotals {
  std::string algorithm;
  int radix = 0;             // 0 where the algorithm takes none
  int block_count = 0;       // 0 where the algorithm takes none
  int steps = 0;             // of the rank that has most
  long long messages = 0;    // sent by all ranks
  long long bytes = 0;       // in them
  long long most_bytes = 0;  // of the rank that sends most
};

// Collective.
[[nodiscard]] PlanTotals plan_totals(const rondo::Request &plan, MPI_Comm comm);

}  // namespace cg

#endif
