#pragma once

#include "cli/bench_options.hpp"

namespace rondo::internal::cli {

// What `rondo bench` measures in the place of exchanges of fixed counts: inits, exchanges whose counts are drawn anew
// each time, and calls phase by phase. From the start of MPI to its end; each gives the status of the command.
int bench_inits(const BenchOptions &options);
int bench_varying(const BenchOptions &options);
int bench_phases(const BenchOptions &options);

}  // namespace rondo::internal::cli
