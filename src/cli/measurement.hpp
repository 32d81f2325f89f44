#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/contender.hpp"
#include "cli/quantiles.hpp"

namespace rondo::internal::cli {

// What was measured of one contender at one size, in microseconds; times are those of the slowest rank.
struct Measurement {
  ContenderSpec spec;
  RONDO_Report report{};             // of Rondo's plans
  std::string refused = {};          // why it does not serve the problem; empty when it does
  std::optional<double> init = {};   // median of a few inits; nothing where there is none to do
  std::int64_t batch = 1;            // exchanges in a sample
  std::vector<double> samples = {};  // per exchange; each the mean of a batch

  [[nodiscard]] Quantiles times() const { return quantiles(samples); }
};

struct SizeResult {
  std::int64_t bytes = 0;  // of the largest block
  std::vector<Measurement> measurements;
};

// After how many exchanges init has paid for itself against a call without init that takes `other` microseconds;
// nothing when it never does.
std::optional<double> break_even(const Measurement &measurement, double other);

}  // namespace rondo::internal::cli
