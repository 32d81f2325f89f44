#pragma once

// What carries the messages of a plan.

#include "api/planning.hpp"
#include "wire/shared.hpp"

namespace rondo::internal {

// By rank: whether this rank shares memory with it. Empty where it shares none, and where shared memory is not wanted.
std::vector<char> sharers(const Channel &channel, const Local &local, const Topology &topology);

// The ranks that share memory with this one, and this one.
SharedGroup group_of(const Planning &p);

// What carries messages that do not go through shared memory. Which it is concerns this rank alone. Datatypes serve
// better than packing where a message has few, long pieces that are not so long that MPI's own way with long messages
// counts for more (docs/performance.md has the measurements).
Wire message_wire(const Planning &p);

}  // namespace rondo::internal
