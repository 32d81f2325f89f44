#pragma once

// Bind: the last phase of an init.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/chosen.hpp"
#include "plan/plan.hpp"
#include "rondo/rondo.h"
#include "wire/node_access.hpp"

namespace rondo::internal {

// A plan that can be started, and what a request keeps of it.
struct OpenedPlan {
  std::unique_ptr<Plan> plan;
  RONDO_Report report{};
  bool others_read_send = false;  // other processes read the caller's buffers
  bool others_read_receive = false;
  std::shared_ptr<const NodeTables> tables{};  // null where nothing is shared
};

// What a user who has many plans knows one by. The number is the same on all ranks.
std::string name_of_plan(const Channel &channel, const char *call, const RONDO_Report &report);

// Takes the memory that ranks of a node share for a plan, and notes where the buffers lie that it holds for the caller.
// As SharedRegion::open, whose areas are known.
void open_memory(NodeAccess &node, const PlanBuffers &buffers, PlanParts &parts);

// Binds what has been reserved to addresses and wires: once all ranks of a node that share memory have opened theirs.
// Collective at its beginning for a plan of `native`, whose request all ranks make. After that it is local, and may
// throw Error on one rank alone.
OpenedPlan open_plan(const Channel &channel, const Inputs &inputs, const Agreed &agreed, const Chosen &chosen,
                     PlanParts parts);

}  // namespace rondo::internal
