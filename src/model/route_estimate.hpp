#pragma once

#include "model/cost.hpp"
#include "model/features.hpp"

namespace rondo::internal {

// What an exchange costs whose blocks are segments: as all ranks know all sizes, the bytes are counted along the routes
// of the ranks that may be the busiest. The parameters are effective ones; the cut is the algorithm's.
Estimate estimate_by_routes(const Algorithm &algorithm, const Parameters &parameters, const Features &features,
                            const Cut &cut, const CostModel &model = {});

}  // namespace rondo::internal
