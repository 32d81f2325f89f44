#pragma once

// What goes through one root in each of two groups: the first rank of a group, which gathers the data of its ranks.

#include "plans/algorithm.hpp"
#include "plans/rank_range.hpp"

namespace rondo::internal {

// The steps of add_gather_to_root, the same on all ranks.
int gather_to_root_steps(const Topology &topology);

// Up a binomial tree to the root of each group, both at the same time (Kang 2019, section 3.1, the first stage).
void add_gather_to_root(Route &route, const Topology &topology, const Cut &cut);

// One group's data from its root to that of the other, in the step that has begun.
void carry_root_to_root(Route &route, const Cut &cut, const RankRange &from, const RankRange &to);

}  // namespace rondo::internal
