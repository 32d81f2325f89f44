#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "exchange/cut.hpp"
#include "plans/algorithm.hpp"
#include "route/route.hpp"

namespace rondo::internal {

// How much an all-gather moves, by its routes.
struct Volume {
  std::int64_t messages = 0;  // sent by the rank that sends most
  std::int64_t sent = 0;      // bytes in all, by the rank that sends most
  std::int64_t received = 0;  // bytes in all, by the rank that receives most
  // Of each group (the second has none where there is one), by step: bytes, by the rank that sends or receives most.
  std::array<std::vector<std::int64_t>, 2> in_step;

  [[nodiscard]] std::int64_t steps() const { return static_cast<std::int64_t>(in_step[0].size()); }
};

// Over the routes given: those of all ranks, or of some. Throws Error (count) where a sum does not fit in 64 bits.
Volume volume_of(std::span<const Route> routes, const Topology &topology, const Cut &cut);

// The bytes that pass one after the other, where each rank sends to one and receives from one at a time (Kang 2019,
// section 2). Within a stage the groups do not wait for each other. A step takes as long as its busiest rank; but in
// every step of a ring each bundle is under way somewhere, so that all take as long as the largest: the routes of some
// ranks are enough, if they meet it at all. The stages are those of the routes, or the first of them.
std::int64_t bytes_in_turn(const Volume &volume, std::span<const Stage> stages);

}  // namespace rondo::internal
