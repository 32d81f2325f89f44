// SPDX-License-Identifier: BSD-3-Clause
#include "measurement.hpp"

#include <algorithm>

#include "cost.hpp"
#include "shared/on_root.hpp"
#include "shared/slowest_rank.hpp"

namespace cg {
namespace {

// How often the ranks agree on whether time is up: often enough where one exchange takes milliseconds,
// seldom enough not to be most of the run where it takes one microsecond.
constexpr int kRepetitionsPerAgreement = 8;

// This rank's times, one series per contender.
using Series = std::vector<std::vector<double>>;

void repeat_once(std::span<const Contender> contenders, const std::function<void()> &prepare, int repetition,
                 Series &series, MPI_Comm comm) {
  const std::size_t count = contenders.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t turn = (i + static_cast<std::size_t>(repetition)) % count;
    prepare();
    series[turn].push_back(example::seconds_after_barrier(comm, contenders[turn].exchange));
  }
}

bool time_is_up(double end, MPI_Comm comm) {
  int up = MPI_Wtime() > end ? 1 : 0;
  MPI_Bcast(&up, 1, MPI_INT, 0, comm);
  return up != 0;
}

double median_of_slowest(const std::vector<double> &own, MPI_Comm comm) {
  std::vector<double> slowest(own.size());
  MPI_Reduce(own.data(), slowest.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX, 0, comm);
  return example::rank_in(comm) == 0 ? median(std::move(slowest)) : 0;
}

}  // namespace

Measurement measure(std::span<const Contender> contenders, const std::function<void()> &prepare, int repetitions,
                    double budget_seconds, MPI_Comm comm, const MeasurementWatcher &watch) {
  const double end = MPI_Wtime() + budget_seconds;
  Series series(contenders.size());
  for (auto &times : series) times.reserve(static_cast<std::size_t>(repetitions));
  Measurement result;
  while (result.repetitions < repetitions) {
    repeat_once(contenders, prepare, result.repetitions++, series, comm);
    if (result.repetitions % kRepetitionsPerAgreement != 0) continue;
    if (time_is_up(end, comm)) break;
    watch(result.repetitions);
  }
  for (const auto &times : series) result.seconds.push_back(median_of_slowest(times, comm));
  return result;
}

}  // namespace cg
