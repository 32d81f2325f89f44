#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "cli/bench_report.hpp"

namespace rondo::internal::cli {

// What an init costs, and what it is measured by: microseconds of the slowest rank, medians.
struct InitCost {
  std::int64_t bytes = 0;  // of each block
  int samples = 0;         // of later inits
  double first = 0;        // on a communicator whose ranks have had none on another
  double further = 0;      // on a new communicator whose ranks have
  double later = 0;        // of an exchange that the ranks have not had lately
  double again = 0;        // of one that they have had
  double exchange = 0;     // one start and wait of the plan
  double blocking = 0;     // one MPI_Alltoallv
};

// Measures so many later inits of either kind, or as many as there is time for until `end`, as MPI_Wtime says on rank
// 0; each is followed by an exchange and a free, as in a program. Collective over MPI_COMM_WORLD.
InitCost measure_inits(std::int64_t bytes, int repetitions, double end);

std::string init_table(std::span<const InitCost> costs);
nlohmann::ordered_json init_json(const BenchReport &report, std::span<const InitCost> costs);

}  // namespace rondo::internal::cli
