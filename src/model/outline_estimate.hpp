#pragma once

#include "model/cost.hpp"
#include "model/features.hpp"

namespace rondo::internal {

// A first, simple estimate of what an exchange costs, from an algorithm's outline and figures that every rank knows.
// The algorithm must serve the case; the parameters are effective ones.
Estimate estimate_by_outline(const Algorithm &algorithm, const Parameters &parameters, const Features &features,
                             const CostModel &model = {});

}  // namespace rondo::internal
