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

// The same bytes of slices that may overlap, in order of place and apart.
inline std::vector<Slice> joined(std::vector<Slice> slices) {
  std::sort(slices.begin(), slices.end(), by_place);
  std::vector<Slice> runs;
  for (const Slice &slice : slices) {
    if (runs.empty() || !runs.back().overlaps(slice)) {
      runs.push_back(slice);
    } else {
      runs.back().length = std::max(runs.back().end(), slice.end()) - runs.back().offset;
    }
  }
  return runs;
}

}  // namespace rondo::internal
