// SPDX-License-Identifier: BSD-3-Clause
#include "measurement.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "shared/slowest_rank.hpp"

namespace fft {
namespace {

// This rank's times of one contender.
struct Series {
  std::vector<double> seconds;
  std::vector<double> forward;  // in exchanges; none where they cannot be told
  std::vector<double> backward;
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
  if (!forward || !backward) return;
  series.forward.push_back(*forward);
  series.backward.push_back(*backward);
}

std::vector<double> sums(const std::vector<double> &some, const std::vector<double> &others) {
  std::vector<double> all;
  std::transform(some.begin(), some.end(), others.begin(), std::back_inserter(all), std::plus());
  return all;
}

std::vector<double> over_ranks(std::vector<double> seconds, MPI_Op op, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, op, comm);
  return seconds;
}

double median(std::vector<double> seconds) {
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
    const auto &[seconds, forward, backward] = series[i];
    times[i].seconds = median(over_ranks(seconds, MPI_MAX, comm));
    if (forward.empty()) continue;
    times[i].exchange_seconds = median(over_ranks(sums(forward, backward), MPI_MAX, comm));
    times[i].least_exchange_seconds =
        median(sums(over_ranks(forward, MPI_MIN, comm), over_ranks(backward, MPI_MIN, comm)));
  }
  return times;
}

}  // namespace fft
