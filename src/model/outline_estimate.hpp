#pragma once

#include <optional>

#include "model/cost.hpp"
#include "model/crossing.hpp"
#include "model/features.hpp"

namespace rondo::internal {

// A first, simple estimate of what an exchange costs, from an algorithm's outline on the features' topology, of so many
// nodes, from what of its messages goes between them, where that is known, and from figures that every rank knows. The
// algorithm must serve the case.
Estimate estimate_by_outline(const Algorithm &algorithm, const Outline &outline, const Features &features, int nodes,
                             const std::optional<Crossing> &crossing = std::nullopt);

}  // namespace rondo::internal
