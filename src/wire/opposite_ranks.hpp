#pragma once

#include <vector>

#include "wire/channel.hpp"

namespace rondo::internal {

// The ranks that the entries of a call's arrays are for, in order: those of the other group where the communicator has
// two, else all.
std::vector<int> opposite_ranks(const Channel &channel);

}  // namespace rondo::internal
