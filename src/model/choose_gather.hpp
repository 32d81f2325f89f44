#pragma once

#include <vector>

#include "model/choose.hpp"

namespace rondo::internal {

// An all-gather, and the sizes of all ranks' data: the same on every rank.
struct GatherFeatures {
  Topology topology;
  std::vector<std::int64_t> bytes;  // by rank: what it has for those that receive from it
  bool shares_memory = false;       // as in Features
  std::int64_t turns = 1;
  const char *native_fault = nullptr;  // this and the next as in Case
  bool sends_at_start_only = false;

  // What algorithms are asked about.
  [[nodiscard]] Case situation() const {
    return {.topology = topology, .native_fault = native_fault, .sends_at_start_only = sends_at_start_only};
  }
};

// Every algorithm for all-gathers that serves the case, with the radices worth trying, cheapest first.
std::vector<Choice> gather_candidates(const GatherFeatures &features, const Wish &wish);

// The cheapest; a pure function of what all ranks know. Throws Error (algorithm) when the wished algorithm is unknown
// or does not serve the case. A scratch limit leaves out those that might need more (Error (no_memory) if it leaves
// none); one asked for by name is held against it when it is planned.
Choice choose_gather(const GatherFeatures &features, const Wish &wish);

}  // namespace rondo::internal
