// SPDX-License-Identifier: BSD-3-Clause
#include "measurement.hpp"

#include <algorithm>

#include "shared/slowest_rank.hpp"

namespace fft {
namespace {

// This rank's times of one contender.
struct Series {
  std::vector<double> seconds;
  std::vector<double> exchange_seconds;  // none where they cannot be told
};

void run_once(Contender &contender, const Grid &grid, Series &series, MPI_Comm comm) {
  // Anew, because the grid comes back times the number of elements.
  fill(contender.grid(), grid, contender.first_plane());
  std::optional<double> forward;
  std::optional<double> backward;
  series.seconds.push_back(example::seconds_after_barrier(comm, [&] {
    forward = contender.forward();
    backward = contender.backward();
  }));
  if (forward && backward) series.exchange_seconds.push_back(*forward + *backward);
}

double median_of_slowest(std::vector<double> seconds, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, comm);
  const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
  std::nth_element(seconds.begin(), middle, seconds.end());
  return *middle;
}

}  // namespace

std::vector<Times> measure(std::span<const std::unique_ptr<Contender>> contenders, const Grid &grid, int repetitions,
                           MPI_Comm comm) {
  const std::size_t count = contenders.size();
  Series first;
  for (const auto &contender : contenders) run_once(*contender, grid, first, comm);
  std::vector<Series> series(count);
  for (std::size_t turn = 0; turn < count * static_cast<std::size_t>(repetitions); ++turn) {
    const std::size_t next = (turn + turn / count) % count;
    run_once(*contenders[next], grid, series[next], comm);
  }
  std::vector<Times> times(count);
  for (std::size_t i = 0; i < count; ++i) {
    times[i].seconds = median_of_slowest(series[i].seconds, comm);
    if (!series[i].exchange_seconds.empty())
      times[i].exchange_seconds = median_of_slowest(series[i].exchange_seconds, comm);
  }
  return times;
}

}  // namespace fft
