#pragma once

#include "api/hints.hpp"
#include "model/features.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// Takes what memory learn_prices() may need, and says whether prices decide: whether the hints leave an algorithm or
// its parameters open, on ranks for which prices are learned. Local.
bool prepare_prices(const Channel &channel, const Hints &hints, const Kind &kind, const Topology &topology);

// Notes in the features what the acts of an exchange cost on this machine, where prices decide or messages between
// nodes may be long: what a profile says that rondo_profile names (`rondo calibrate` writes it); else on several nodes
// what messages between them cost, which is measured. Either once for a communicator. And whether halving pays for
// these. Collective, with alike arguments, and only after prepare_prices() on all ranks; the same on all ranks
// afterwards. Takes no memory, but for what rank 0 reads of the profile.
void learn_prices(const Channel &channel, const Hints &hints, bool decide, Features &features);

}  // namespace rondo::internal
