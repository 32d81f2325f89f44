#pragma once

#include "exchange/topology.hpp"

namespace rondo::internal {

// Consecutive ranks.
struct RankRange {
  int first = 0;
  int size = 0;

  [[nodiscard]] int rank(int index) const { return first + index; }
  [[nodiscard]] bool holds(int rank) const { return rank >= first && rank < first + size; }
};

// The groups of an intercommunicator, or the one group and an empty one.
RankRange first_group(const Topology &topology);
RankRange second_group(const Topology &topology);
// Where this rank is, and where it is not.
RankRange own_group(const Topology &topology, int rank);
RankRange other_group(const Topology &topology, int rank);

}  // namespace rondo::internal
