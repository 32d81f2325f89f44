#pragma once

// Reserve: the phase before bind. It takes all the memory of a plan, so that bind, which is collective, is begun by all
// ranks or by none.

#include "api/earlier.hpp"
#include "plan/plan.hpp"
#include "wire/node_access.hpp"

namespace rondo::internal {

// How a rank waits for a plan under these hints. Local.
WaitPolicy policy_for(const Channel &channel, const Hints &hints);

// The parts of a plan that follows a schedule: buffers, images, scratch, staging, and the tables of what is shared.
// Throws Error (no_memory) beyond rondo_scratch_limit. Local.
PlanParts reserve(const Channel &channel, const NodeAccess &node, const Inputs &inputs, const Agreed &agreed,
                  const WorkedOut &worked_out);

// The parts of a plan that is the MPI library's own call. Throws Error (algorithm) where the library has no call of the
// kind that the hints ask for, or the call does not take these counts. Local.
PlanParts reserve_native(const Channel &channel, const Inputs &inputs);

}  // namespace rondo::internal
