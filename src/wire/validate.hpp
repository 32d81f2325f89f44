#pragma once

#include <cstdint>
#include <vector>

#include "exchange/exchange.hpp"
#include "exchange/topology.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// rondo_validate=1: compares the sizes that every rank sends with those that the receivers expect. Collective. Throws
// the same Error (mismatch) on all ranks when a size differs. It names the two ranks and both sizes; of several such
// pairs, the one with the lowest receiver, and of its sources the lowest.
void validate(const Exchange &exchange, const Channel &channel);

// All ranks learn how many bytes every rank has for those that receive from it, by rank, and compare the sizes that
// they expect with these. Collective. Throws Error (mismatch) as validate() does. With in_place a rank expects nothing
// from itself.
std::vector<std::int64_t> sizes_of_all(const Exchange &exchange, const Topology &topology, bool in_place,
                                       const Channel &channel);

}  // namespace rondo::internal
