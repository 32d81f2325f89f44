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
  constexpr int in_a_row = 5;
  const std::size_t count = contenders.size();
  std::vector<Series> series(count);
  std::size_t round = 0;
  for (int done = 0; done < repetitions; done += in_a_row, ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t next = (i + round) % count;
      Series not_counted;
      run_once(*contenders[next], grid, not_counted, comm);
      for (int run = 0; run < std::min(in_a_row, repetitions - done); ++run) {
        run_once(*contenders[next], grid, series[next], comm);
      }
    }
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
