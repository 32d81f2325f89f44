#include "plans/rank_range.hpp"

namespace rondo::internal {

RankRange first_group(const Topology &topology) {
  return {0, topology.two_groups() ? topology.second_group : topology.ranks};
}

RankRange second_group(const Topology &topology) {
  return {first_group(topology).size, topology.ranks - first_group(topology).size};
}

RankRange own_group(const Topology &topology, int rank) {
  return first_group(topology).holds(rank) ? first_group(topology) : second_group(topology);
}

RankRange other_group(const Topology &topology, int rank) {
  return first_group(topology).holds(rank) ? second_group(topology) : first_group(topology);
}

}  // namespace rondo::internal
