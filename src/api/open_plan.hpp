#pragma once

// Bind: the last phase of an init.

#include <memory>

#include "api/chosen.hpp"
#include "plan/plan.hpp"
#include "rondo/rondo.h"

namespace rondo::internal {

// A plan that can be started, and what a request keeps of it.
struct OpenedPlan {
  std::unique_ptr<Plan> plan;
  RONDO_Report report{};
  bool others_read_send = false;  // other processes read the caller's buffers
  bool others_read_receive = false;
};

// Binds what has been reserved to addresses and wires. Collective at its beginning: ranks that share memory meet, or
// all make the MPI library's own request. After that it is local, and may throw Error on one rank alone.
OpenedPlan open_plan(const Channel &channel, const Inputs &inputs, const Agreed &agreed, const Chosen &chosen,
                     PlanParts parts);

}  // namespace rondo::internal
