#pragma once

// Slices in order of place.

#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/schedule.hpp"

namespace rondo::internal {

inline bool by_place(const Slice &a, const Slice &b) {
  return std::pair(a.space, a.offset) < std::pair(b.space, b.offset);
}

// Whether a slice overlaps one of the sorted slices, which are in order of place and do not overlap each other.
inline bool overlaps_any(const std::vector<Slice> &sorted, const Slice &slice) {
  const auto next = std::lower_bound(sorted.begin(), sorted.end(), slice, by_place);
  return (next != sorted.end() && next->overlaps(slice)) ||
         (next != sorted.begin() && std::prev(next)->overlaps(slice));
}

}  // namespace rondo::internal
