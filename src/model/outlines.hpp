#pragma once

#include <optional>
#include <vector>

#include "model/crossing.hpp"
#include "model/wish.hpp"
#include "plans/algorithm.hpp"

namespace rondo::internal {

// An algorithm with parameters, and what it does on a topology.
struct Outlined {
  const Algorithm *algorithm;
  Parameters parameters;               // effective ones
  std::optional<Outline> outline{};    // where the algorithm has one, and serves the topology whatever the sizes are
  std::optional<Crossing> crossing{};  // likewise, on several nodes
};

// All that a choice on a topology is made from before any size is known, so that an init on the same communicator
// works it out once.
struct Outlines {
  int nodes = 1;
  std::vector<Outlined> all{};
};

// Every algorithm for a kind of exchange, with the parameters worth trying; the one that the caller names alone, where
// he does.
Outlines outlines_on(const Kind &kind, const Topology &topology, const Wish &wish);

}  // namespace rondo::internal
