#pragma once

// From what is planned to what a plan keeps.

#include "api/planning.hpp"
#include "plan/plan.hpp"

namespace rondo::internal {

// Of a native plan, everything but its request. Local; throws Error.
PlanParts prepare_natively(const Planning &p);

// Everything that this rank can do alone before memory is shared. Local; throws Error.
PlanParts prepare(const Planning &p, const Traced &traced);

// Collective over the node.
void share_memory(const Planning &p, PlanParts &parts);

}  // namespace rondo::internal
