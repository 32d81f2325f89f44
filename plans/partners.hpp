#pragma once

// Which ranks of the larger group belong to which of the smaller (Kang 2019, section 4).

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "plans/cuts.hpp"

namespace rondo::internal {

// The ranks of the larger group in consecutive subgroups, one for each rank of the smaller. They have the same size but
// for one: the first ones are the larger.
class Partners {
 public:
  explicit Partners(const Topology &topology) : larger_(first_group(topology)), smaller_(second_group(topology)) {
    if (larger_.size < smaller_.size) std::swap(larger_, smaller_);
  }

  [[nodiscard]] const RankRange &larger() const { return larger_; }
  [[nodiscard]] const RankRange &smaller() const { return smaller_; }
  // The ranks that every subgroup has at least.
  [[nodiscard]] int least() const { return larger_.size / smaller_.size; }
  // By index in the smaller group.
  [[nodiscard]] RankRange subgroup(int index) const {
    const int more = larger_.size % smaller_.size;
    return {larger_.first + index * least() + std::min(index, more), least() + (index < more ? 1 : 0)};
  }
  // The index of the subgroup of a rank of the larger group.
  [[nodiscard]] int subgroup_of(int rank) const {
    const int more = larger_.size % smaller_.size;
    const int index = rank - larger_.first;
    const int in_larger_ones = more * (least() + 1);
    return index < in_larger_ones ? index / (least() + 1) : more + (index - in_larger_ones) / least();
  }

 private:
  RankRange larger_;
  RankRange smaller_;
};

// The cut of both groups, for ranks from 0 on: a rank of the larger group sends all that it has to its partner; one of
// the smaller group sends equal parts, but for a byte, to the first `carriers(subgroup)` ranks of its subgroup.
template <class CarriersOf>
Cut cut_for_partners(const Topology &topology, std::span<const std::int64_t> bytes, CarriersOf &&carriers_of) {
  const Partners partners(topology);
  Cut cut;
  for (int rank = 0; rank < topology.ranks; ++rank) {
    if (partners.larger().holds(rank)) {
      cut.begin_source();
      cut.add({0, bytes[rank], partners.smaller().rank(partners.subgroup_of(rank))});
    } else {
      const RankRange subgroup = partners.subgroup(rank - partners.smaller().first);
      add_balanced_cut(cut, {rank, 1}, {subgroup.first, carriers_of(subgroup)}, bytes);
    }
  }
  return cut;
}

}  // namespace rondo::internal
