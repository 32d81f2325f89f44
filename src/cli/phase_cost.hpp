#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/bench_report.hpp"
#include "cli/contender.hpp"
#include "cli/per_call.hpp"

namespace rondo::internal::cli {

// Whole calls of one algorithm, phase by phase: microseconds of the rank that took longest over the whole call.
struct PhasedTime {
  // Of a phase, or of all together: the mean over the calls of the middle half, without the quarter that took least in
  // all and the one that took most, so that the phases add up to the whole.
  [[nodiscard]] double of(std::size_t phase) const;
  [[nodiscard]] double of_all() const;

  std::string label;
  std::string refused{};                                        // why it does not serve; empty where it does
  std::array<std::vector<double>, PerCall::phases> by_phase{};  // samples
  std::vector<double> whole{};
};

struct PhaseCost {
  std::int64_t bytes = 0;    // of the largest block
  std::vector<double> call;  // samples of MPI_Alltoallv, or of the call of the problem
  std::string call_name;
  std::vector<PhasedTime> times;
};

// Times the phases of whole calls that are not persistent, over MPI messages (Fan 2022, figure 2 b; TuNA, figures 10
// and 11), beside the MPI library's call: so many of each by turns, or one at least and as many as there is time for
// until `end`, as MPI_Wtime says on rank 0. Collective over MPI_COMM_WORLD. Throws Error (internal) where one moves
// data wrongly.
PhaseCost measure_phases(const Problem &problem, std::span<const ContenderSpec> specs, int repetitions, double end);

std::string phase_table(const PhaseCost &cost);
nlohmann::ordered_json phase_json(const BenchReport &report, std::span<const PhaseCost> costs);
// Gnuplot's commands for a picture of the means.
std::string phase_script(const BenchReport &report, std::span<const PhaseCost> costs, const std::string &path);

}  // namespace rondo::internal::cli
