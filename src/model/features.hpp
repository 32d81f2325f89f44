#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "exchange/kind.hpp"
#include "model/cost.hpp"
#include "plans/algorithm.hpp"

namespace rondo::internal {

// The case, and how much there is to move: all of it the same on every rank (agreed at init).
struct Features {
  Case situation;
  std::int64_t most_sent = 0;   // bytes that the busiest rank sends to others
  std::int64_t most_peers = 0;  // non-empty blocks for others of the rank that has most of them
  bool one_way = false;         // no rank both sends to others and receives from others
  bool shares_memory = false;   // ranks of a node exchange through shared memory, on every node
  int banks = 2;           // of shared memory, at most: starts by which a rank may be ahead of those to which it sends
  std::int64_t turns = 1;  // ranks that take turns on a core, on the fullest node
  const Kind *kind = &all_to_all;
  bool halves_messages = false;       // between nodes, those that are a little longer than MPI sends at once (Halving)
  CostModel costs{};                  // with what has been measured of the messages between nodes
  std::vector<std::int64_t> bytes{};  // by rank, its data, where the kind has all ranks know all sizes; else empty

  // Of a plan with this layout. Each bank of a plan that pads or forwards would have room for slots or scratch, too.
  [[nodiscard]] int banks_of(Layout layout) const { return layout == Layout::direct ? banks : 2; }
  // Whether a message between that many nodes may be longer than MPI sends at once: by what all ranks of one send.
  [[nodiscard]] bool may_have_long_messages(int nodes) const {
    const int fullest = situation.topology.ranks - nodes + 1;  // or less
    return nodes > 1 && most_sent > longest_at_once / fullest;
  }
  // Mean block of the busiest rank over all P - 1 others, empty ones included.
  [[nodiscard]] double mean_block() const {
    return static_cast<double>(most_sent) / std::max(1, situation.topology.ranks - 1);
  }
};

}  // namespace rondo::internal
