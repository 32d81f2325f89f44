#pragma once

// How much scratch and staging a plan may need at most, for rondo_scratch_limit, before anything is planned.

#include <cstdint>

#include "model/cost.hpp"
#include "model/features.hpp"

namespace rondo::internal {

std::int64_t most_scratch(const Algorithm &algorithm, const Parameters &parameters, const Features &features);

// The same where blocks are segments: the estimate has the bytes that pass through the busiest rank.
std::int64_t most_scratch_by_segments(const Algorithm &algorithm, const Estimate &estimate);

}  // namespace rondo::internal
