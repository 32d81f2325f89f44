#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exchange/error.hpp"
#include "plan/plan.hpp"
#include "rondo/rondo.h"
#include "varying/varying_plan.hpp"
#include "wire/side.hpp"

// What a RONDO_Request stands for (api/request_table.hpp).
struct RONDO_Request_object {
  enum class State { inactive, active, complete };  // complete: ended, but no call has told yet

  std::unique_ptr<rondo::internal::AnyPlan> plan{};
  // The same, as what it is: one of the two is null.
  rondo::internal::Plan *fixed = nullptr;
  rondo::internal::VaryingPlan *varying = nullptr;
  State state = State::inactive;
  std::optional<rondo::internal::Error> fault{};  // of a complete one: what the call that tells of it will return
  bool failed = false;    // in an exchange, of which messages may be under way: it cannot be started again
  bool outlived = false;  // MPI_Finalize has been called since
  RONDO_Report report{};
  bool logs_report = false;               // on standard error, at the end of the init
  std::vector<RONDO_Report> reports{};    // of the candidates of a plan whose counts come with each start
  std::shared_ptr<MPI_Comm> errors_to{};  // the communicator whose error handler wants them; null: none does
  // As init was given them, for a rebind. With in_place, the send side is what is sent from the receive buffer.
  rondo::internal::Side send{};
  rondo::internal::Side receive{};
  bool in_place = false;
  // Whether other processes read the caller's buffers.
  bool others_read_send = false;
  bool others_read_receive = false;
  int rank = 0;  // in the communicator
};
