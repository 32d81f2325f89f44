#include "plans/group_cases.hpp"

#include <algorithm>

#include "plans/rank_range.hpp"

namespace rondo::internal {

std::string two_groups_obstacle(const Case &situation, const Parameters &) {
  return situation.topology.two_groups() ? "" : "it exchanges between the two groups of an intercommunicator";
}

std::string one_group_obstacle(const Case &situation, const Parameters &) {
  return situation.topology.two_groups() ? "it gathers in the one group of an intracommunicator" : "";
}

Parameters gather_limits(const Topology &topology, const Parameters &) {
  const int most = std::max(first_group(topology).size, second_group(topology).size);
  return {.radix = std::max(2, most), .block_count = 1, .leaders = 1};
}

}  // namespace rondo::internal
