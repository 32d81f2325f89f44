#pragma once

#include <memory>
#include <string>

#include "plan/plan.hpp"
#include "rondo/rondo.h"

// What RONDO_Request points to.
struct RONDO_Request_object {
  enum class State { inactive, active, complete };  // complete: seen so by Testall, but not yet told

  // What a rebind may give: as init was given it.
  struct Buffer {
    bool in_place = false;
    bool of_plan = false;
    bool has_data = false;
  };

  std::unique_ptr<rondo::Plan> plan;
  Buffer send{};
  Buffer receive{};
  State state = State::inactive;
  bool failed = false;  // in an exchange, of which messages may be under way: it cannot be started again
  RONDO_Report report{};
  std::shared_ptr<MPI_Comm> errors_to{};  // the communicator whose error handler wants them; null: none does
};
