#include "cli/quantiles.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace rondo::internal::cli
