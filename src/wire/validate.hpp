#pragma once

#include <cstdint>
#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/topology.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// rondo_validate=1: holds what every rank sends against what every other receives. Collective. Throws Error
// (mismatch) on all ranks, naming the pair and both sizes, when they differ anywhere: that of the lowest receiver,
// and of its sources the lowest.
void validate(const Exchange &exchange, const Channel &channel);

// All ranks learn what every rank has for those that receive from it, in bytes by rank, and hold what they are to
// receive against it. Collective. Throws Error (mismatch) as validate does. In place, nothing is received from oneself.
std::vector<std::int64_t> sizes_of_all(const Exchange &exchange, const Topology &topology, bool in_place,
                                       const Channel &channel);

}  // namespace rondo::internal
