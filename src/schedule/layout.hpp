#pragma once

// Where each block rests. A layout policy is a pure function from what is known of the blocks to places; the
// papers' variants of Bruck's algorithm differ in nothing else.

#include <cstdint>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"
#include "plans/algorithm.hpp"
#include "schedule/forwarding_table.hpp"
#include "schedule/halve.hpp"
#include "schedule/schedule.hpp"
#include "schedule/sizes.hpp"
#include "schedule/type_receives.hpp"

namespace rondo::internal {

struct LayoutResult {
  std::vector<Place> own;      // by part: where this rank's block lies when it is first sent
  std::vector<Place> arrived;  // by receive entry: where the block is put
  std::vector<int> free_from;  // by receive entry: see Transfer. Empty: 0 for all
  std::vector<Copy> prologue;
  std::vector<Copy> meanwhile;
  std::vector<Copy> epilogue;
  std::int64_t scratch_bytes = 0;
  std::int64_t padded_to = 0;  // bytes that every block has on the way; 0: its own size
  bool rests_in_receive = false;
  bool writers_reach_scratch = false;  // see Schedule
  bool steps_disjoint = false;         // see Schedule
};

struct LayoutInput {
  const Route &route;
  const ForwardingTable &forwarding;
  const Sizes &sizes;
  const Exchange &exchange;
  std::int64_t largest_block;  // bytes, over all ranks
  // By rank: whether memory is shared with it. Empty: with nobody.
  std::span<const char> shares_memory = {};
  Wire wire = Wire::packed;  // to all others: not shared
  Halving halving = {};
  TypedReceives typed_receives = {};

  [[nodiscard]] bool shares_memory_with(int peer) const { return !shares_memory.empty() && shares_memory[peer] != 0; }
};

// Dispatches to the policy of that name. Throws Error (count) when scratch would not fit in 64 bits.
LayoutResult lay_out(Layout layout, const LayoutInput &input);

}  // namespace rondo::internal
