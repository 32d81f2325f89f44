#include "cli/measurement.hpp"

#include <cmath>

namespace rondo::internal::cli {

std::optional<double> break_even(const Measurement &measurement, double other) {
  const double gain = other - measurement.times().median;
  if (measurement.samples.empty() || gain <= 0) return std::nullopt;
  return std::ceil(measurement.init.value_or(0) / gain);
}

}  // namespace rondo::internal::cli
