#include "cli/quantiles.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace rondo::internal::cli {

Quantiles quantiles(std::vector<double> samples) {
  if (samples.empty()) return {};
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double part) {
    const double position = part * static_cast<double>(samples.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    const auto above = std::min(below + 1, samples.size() - 1);
    return samples[below] + (position - std::floor(position)) * (samples[above] - samples[below]);
  };
  return {at(0), at(0.25), at(0.5), at(0.75), at(1)};
}

std::vector<double> without_outliers(const std::vector<double> &samples) {
  const Quantiles all = quantiles(samples);
  const double reach = 1.5 * (all.upper - all.lower);
  std::vector<double> kept;
  std::copy_if(samples.begin(), samples.end(), std::back_inserter(kept),
               [&](double sample) { return sample >= all.lower - reach && sample <= all.upper + reach; });
  return kept;
}

Interval median_interval(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  constexpr double deviations = 1.96;
  const double count = static_cast<double>(samples.size());
  const double half_width = deviations * std::sqrt(count) / 2;
  const auto below = static_cast<std::ptrdiff_t>(std::floor(count / 2 - half_width)) - 1;  // of the lower end, from 0
  const auto last = static_cast<std::ptrdiff_t>(samples.size()) - 1;
  const std::ptrdiff_t low = std::clamp<std::ptrdiff_t>(below, 0, last);
  return {samples[static_cast<std::size_t>(low)], samples[static_cast<std::size_t>(last - low)]};
}

}  // namespace rondo::internal::cli
