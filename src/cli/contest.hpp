#pragma once

#include <functional>
#include <span>

#include "cli/measurement.hpp"

namespace rondo::cli {

// How long to measure.
struct Effort {
  int repetitions = 50;            // samples per contender
  double seconds = 10;             // at which no new repetition is begun
  double sample_seconds = 100e-6;  // what a sample should take at least
  bool fresh_data = true;          // what is sent is written before each exchange
};

// Collective. Makes all contenders ready, checks that each moves the data rightly (throws Error (internal) when
// one does not), warms them up, and times them by turns: in each repetition every contender once, in rotated
// order, after a barrier. Rank 0 has the result. `progress` is called with the number of repetitions done.
SizeResult measure(const Problem &problem, std::span<const ContenderSpec> specs, const Effort &effort,
                   const std::function<void(int)> &progress);

}  // namespace rondo::cli
