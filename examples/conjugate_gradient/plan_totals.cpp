// SPDX-License-Identifier: BSD-3-Clause
#include "plan_totals.hpp"

namespace cg {
namespace {

template <class T>
T reduced(T value, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, op, comm);
  return value;
}

}  // namespace

PlanTotals plan_totals(const rondo::Request &plan, MPI_Comm comm) {
  const RONDO_Report report = plan.report();
  PlanTotals totals;
  totals.algorithm = report.algorithm;
  totals.radix = report.radix;
  totals.block_count = report.block_count;
  totals.steps = reduced(report.steps, MPI_INT, MPI_MAX, comm);
  totals.messages = reduced(report.messages, MPI_LONG_LONG, MPI_SUM, comm);
  totals.bytes = reduced(report.bytes, MPI_LONG_LONG, MPI_SUM, comm);
  totals.most_bytes = reduced(report.bytes, MPI_LONG_LONG, MPI_MAX, comm);
  return totals;
}

}  // namespace cg
