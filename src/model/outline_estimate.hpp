#pragma once

#include "model/cost.hpp"
#include "model/features.hpp"

namespace rondo::internal {

// A first, simple estimate of what an exchange costs, from an algorithm's outline on the features' topology, of so many
// nodes, and figures that every rank knows. The algorithm must serve the case.
Estimate estimate_by_outline(const Algorithm &algorithm, const Outline &outline, const Features &features, int nodes,
                             const CostModel &model = {});

}  // namespace rondo::internal
