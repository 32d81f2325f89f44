#pragma once

#include <vector>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// The parameters with which an algorithm is estimated: the caller's, and where he leaves one open, several values that
// are worth an estimate. No two of the results mean the same plan.
std::vector<Parameters> worth_trying(const Algorithm &algorithm, const Topology &topology, const Parameters &wished);

}  // namespace rondo::internal
