// SPDX-License-Identifier: BSD-3-Clause
#include "cost.hpp"

#include <algorithm>
#include <cmath>

namespace cg {

double total_seconds(const Cost &cost, double exchanges) {
  return cost.init_seconds + exchanges * cost.exchange_seconds;
}

std::optional<long long> break_even(const Cost &ours, const Cost &theirs) {
  constexpr double noise = 0.02;
  const double gain = theirs.exchange_seconds - ours.exchange_seconds;
  if (gain <= noise * theirs.exchange_seconds) return std::nullopt;
  const double debt = std::max(0.0, ours.init_seconds - theirs.init_seconds);
  return static_cast<long long>(std::ceil(debt / gain));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace cg
