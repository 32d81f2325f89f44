#pragma once

#include <string>

#include "cli/rank_plan.hpp"

namespace rondo::internal::cli {

// What one start comes to for the rank: one line a figure.
std::string totals_text(const RankPlan &plan);
std::string totals_text(const VaryingRankPlan &plan);

// The route of a rank with the sizes of its messages; long lists are cut, and say by how much.
std::string route_text(const Route &route, const Sizes &sizes);

}  // namespace rondo::internal::cli
