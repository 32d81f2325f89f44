#pragma once

#include "schedule/sizes.hpp"
#include "wire/channel.hpp"

namespace rondo {

// The size collective: learns the sizes of all blocks that pass through this rank, by sending counts along the
// route (schedule/sizes.hpp). Collective over the channel. Throws Error (mismatch) when a block that ends here has
// another size than this rank's receive counts say.
Sizes learn_sizes(const Route &route, const Custody &custody, const Exchange &exchange, const Channel &channel);

}  // namespace rondo
