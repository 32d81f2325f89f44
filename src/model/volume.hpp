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
  // For each group, by step: the bytes of the rank that sends or receives most in it. The second is empty where there
  // is one group only.
  std::array<std::vector<std::int64_t>, 2> in_step;

  [[nodiscard]] std::int64_t steps() const { return static_cast<std::int64_t>(in_step[0].size()); }
};

// Counts along the given routes, which are those of all ranks or of some. Throws Error (count) where a sum does not fit
// in 64 bits.
Volume volume_of(std::span<const Route> routes, const Topology &topology, const Cut &cut);

// How many bytes pass one after the other, if each rank sends to one rank and receives from one rank at a time (Kang
// 2019, section 2). A step takes as long as its busiest rank, and within a stage the two groups do not wait for each
// other. In a ring every bundle is under way in every step, so each step takes as long as the largest bundle: the
// routes of some ranks are enough, if the largest bundle is on one of them. `stages` are the stages of the routes, or
// the first of these.
std::int64_t bytes_in_turn(const Volume &volume, std::span<const Stage> stages);

}  // namespace rondo::internal
