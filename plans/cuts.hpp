#pragma once

// How algorithms cut the data of ranks, and which segments a rank carries then.

#include <cstdint>
#include <span>
#include <vector>

#include "exchange/block.hpp"
#include "exchange/cut.hpp"
#include "exchange/topology.hpp"
#include "plans/rank_range.hpp"

namespace rondo::internal {

// Nothing is cut: the data of each rank is one segment, whose carrier is the rank itself.
Cut uncut(const Topology &topology, std::span<const std::int64_t> bytes);

// By carrier: the segments of some sources that it carries. They have no other carriers.
std::vector<std::vector<Block>> carried_by_each(const Cut &cut, const RankRange &sources, const RankRange &carriers);

// The data of some sources cut where it must be so that all carriers have as much of it, but for a byte: the first
// carrier has the first part of it, in rank order (Kang 2019, Algorithm 2, lines 3 to 21). Adds the sources in order.
void add_balanced_cut(Cut &cut, const RankRange &sources, const RankRange &carriers,
                      std::span<const std::int64_t> bytes);

// The balanced cut of both groups, each for the ranks of the other.
Cut balanced_cut(const Topology &topology, std::span<const std::int64_t> bytes);

}  // namespace rondo::internal
