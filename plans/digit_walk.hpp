#pragma once

// The steps of a journey round a ring by the digits of the distance, whatever it is that travels: ranks' blocks
// (digits.hpp), the blocks of a node's ranks, or those of whole nodes.

#include <algorithm>
#include <cstdint>

namespace rondo::internal {

// Calls visit(power, hop) for each step (x, z), where power is r^x and hop is z r^x. The steps of a smaller ring
// are the first of a larger one's: those with a hop below its size.
template <class Visit>
void for_each_step(std::int64_t ring, int radix, Visit &&visit) {
  for (std::int64_t power = 1; power < ring; power *= radix) {
    for (std::int64_t hop = power; hop < std::min(ring, power * radix); hop += power) visit(power, hop);
  }
}

// Calls visit(distance) for each distance below the ring's size whose digit at `power` has the value hop / power.
template <class Visit>
void for_each_distance(std::int64_t ring, int radix, std::int64_t power, std::int64_t hop, Visit &&visit) {
  for (std::int64_t run = hop; run < ring; run += power * radix) {
    for (std::int64_t i = run; i < std::min(run + power, ring); ++i) visit(i);
  }
}

// How many distances for_each_distance visits.
constexpr std::int64_t count_distances(std::int64_t ring, int radix, std::int64_t power, std::int64_t hop) {
  const std::int64_t period = power * radix;
  return ring / period * power + std::clamp<std::int64_t>(ring % period - hop, 0, power);
}

}  // namespace rondo::internal
