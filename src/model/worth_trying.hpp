#pragma once

#include <vector>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// The parameters with which an algorithm is estimated: what is wished, and where nothing is, what is worth trying. Each
// that makes a difference once.
std::vector<Parameters> worth_trying(const Algorithm &algorithm, const Topology &topology, const Parameters &wished);

}  // namespace rondo::internal
