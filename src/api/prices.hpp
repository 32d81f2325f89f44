#pragma once

#include "api/hints.hpp"
#include "model/features.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// Whether what a choice takes depends on prices, of an algorithm or of parameters that the hints leave open, on ranks
// for which they are learned. Local; takes memory.
bool prices_decide(const Hints &hints, const Kind &kind, const Topology &topology);

// Notes in the features what the acts of an exchange cost on this machine, where prices decide or messages between
// nodes may be long: what a profile says that rondo_profile names (`rondo calibrate` writes it); else on several nodes
// what short messages between them cost, which is measured. Either once for a communicator. Collective, with alike
// arguments, and only after EarlierPlans::of has been called on all ranks; the same on all ranks afterwards. Takes no
// memory, but for what rank 0 reads of the profile.
void learn_prices(const Channel &channel, const Hints &hints, bool decide, Features &features);

}  // namespace rondo::internal
