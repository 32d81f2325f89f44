#pragma once

#include "model/features.hpp"
#include "model/wish.hpp"
#include "wire/channel.hpp"

namespace rondo::internal {

// Notes in the features what short messages between nodes cost on this communicator, where a choice depends on it: on
// several nodes, if no algorithm is named. Measured once for a communicator. Collective, with alike arguments, and only
// after EarlierPlans::of has been called on all ranks; the same on all ranks afterwards. Takes no memory.
void learn_message_costs(const Channel &channel, const Wish &wish, Features &features);

}  // namespace rondo::internal
