#pragma once

#include "api/hints.hpp"
#include "model/features.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// Notes in the features what the acts of an exchange cost on this machine, where a choice depends on it, that is if no
// algorithm is named: what a profile says that rondo_profile names (`rondo calibrate` writes it); else on several nodes
// what short messages between them cost, which is measured. Either once for a communicator. Collective, with alike
// arguments, and only after EarlierPlans::of has been called on all ranks; the same on all ranks afterwards. Takes no
// memory, but for what rank 0 reads of the profile.
void learn_prices(const Channel &channel, const Hints &hints, Features &features);

}  // namespace rondo::internal
