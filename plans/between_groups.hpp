#pragma once

// All-gathers between two groups: data goes from group to group, and is gathered inside the one that it has come to.

#include <vector>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// Adds one step in which every segment goes from its source to its carrier. Each rank sends in the order of carriers;
// it receives first from the last source if that has other carriers too, and last from the first if that has: so that
// none of those which send to several waits for another (Kang 2019, section 4.1).
void add_step_between_groups(Route &route, const Topology &topology, const Cut &cut);

// The route of most between two groups: a step to cross, then each group gathers inside what its members carry of the
// other's. And its stages.
Route gather_between_groups(int rank, const Topology &topology, const Parameters &parameters, const Cut &cut);
std::vector<Stage> stages_between_groups(const Topology &topology, const Parameters &parameters);

}  // namespace rondo::internal
