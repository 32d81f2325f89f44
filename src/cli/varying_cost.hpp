#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/bench_report.hpp"
#include "cli/contender.hpp"

namespace rondo::internal::cli {

// One way to exchange data whose amounts are new each time, and what it takes: microseconds of the slowest rank.
struct VaryingTime {
  std::string label;
  std::string algorithm{};    // of Rondo's, in the last exchange
  std::int64_t messages = 0;  // that the busiest rank sends in a first exchange, of Rondo's; 0 where it is not known
  std::string refused{};      // why it does not serve; empty where it does
  std::vector<double> samples{};

  [[nodiscard]] double median() const;  // 0 where there are no samples
};

struct VaryingCost {
  std::int64_t bytes = 0;  // of the largest block
  std::vector<VaryingTime> times;
};

// Times whole exchanges, counts and data, whose counts are drawn anew each time from the problem's distribution:
// MPI_Alltoall of the counts and MPI_Alltoallv of the data; Rondo's plans of these specs whose counts come with each
// start, with the lengths at the head of the data and in messages of their own; and, with the counts of one draw each
// time, such a plan and one of fixed counts. By turns; so many samples of each, or as many as there is time for until
// `end`, as MPI_Wtime says on rank 0. Collective over MPI_COMM_WORLD. Throws Error (internal) where one of them moves
// data wrongly.
VaryingCost measure_varying(const Problem &problem, std::span<const ContenderSpec> specs, int repetitions, double end);

std::string varying_table(const VaryingCost &cost);
nlohmann::ordered_json varying_json(const BenchReport &report, std::span<const VaryingCost> costs);

}  // namespace rondo::internal::cli
