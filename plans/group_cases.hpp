#pragma once

// Which groups an all-gather algorithm serves, and with which parameters.

#include <string>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// The reason of algorithms that need two groups, or one.
std::string two_groups_obstacle(const Case &situation, const Parameters &parameters);
std::string one_group_obstacle(const Case &situation, const Parameters &parameters);

// Of the radix: 1, a ring, to the size of the larger group.
Parameters gather_limits(const Topology &topology, const Parameters &parameters);

}  // namespace rondo::internal
