// What an exchange costs: once to set up, then every time.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_COST_HPP
#define CONJUGATE_GRADIENT_COST_HPP

#include <optional>
#include <string>
#include <vector>

namespace cg {

struct Cost {
  std::string name;
  double init_seconds;        // the first of the program; 0 where nothing is set up
  double later_init_seconds;  // any other
  double exchange_seconds;    // of one exchange
};

// The same call when it is not the first of the program.
[[nodiscard]] inline Cost later(Cost cost) {
  cost.init_seconds = cost.later_init_seconds;
  return cost;
}

// The time of all of `exchanges` exchanges, init included.
[[nodiscard]] double total_seconds(const Cost &cost, double exchanges);

// The number of exchanges from which on ours, init included, has cost no more than theirs; none when it never
// does for good. An advantage of less than 2% counts as none: the medians of two runs differ by that much.
[[nodiscard]] std::optional<long long> break_even(const Cost &ours, const Cost &theirs);

// The middle one of the values, or the mean of the middle two. At least one value.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace cg

#endif
