#pragma once

#include <memory>
#include <string>

#include "plan/plan.hpp"
#include "rondo/rondo.h"

// What RONDO_Request points to.
struct RONDO_Request_object {
  enum class State { inactive, active, complete };  // complete: seen so by Testall, but not yet told

  std::unique_ptr<rondo::Plan> plan;
  State state = State::inactive;
  RONDO_Report report{};
};
