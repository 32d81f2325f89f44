#pragma once

// How a persistent call becomes a plan of Rondo's and a request that stands for it.

#include <mpi.h>

#include "api/errhandler.hpp"
#include "api/init.hpp"
#include "pmpi/calls/communicator.hpp"
#include "pmpi/pass/blocked.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

// The communicator of a persistent call that is taken over, else MPI_COMM_NULL: on all ranks alike. `known` is what is
// kept for the communicator, or null where this rank has no memory for it: then all ranks refuse the call together.
struct Served {
  MPI_Comm comm = MPI_COMM_NULL;
  Communicator *known = nullptr;
};
// An intercommunicator's, too.
Served served(MPI_Comm comm);
// The same for a call between neighbours.
Served served_neighbors(MPI_Comm comm);

// Takes part in the others' init, which then fails on all ranks. Gives its code.
int refuse_without_memory(MPI_Comm comm, MPI_Info info);

// What a call returns whose init has returned `init_code`; see init_persistent.
bool take_plan(int init_code, RONDO_Request plan, const Served &served, Tally *tally, MPI_Request *request, int &code);

// Makes *request stand for the plan that init(&plan) makes; `code` is what the MPI call returns. False where the call
// is to be left to the MPI library instead: init refuses some communicators and some algorithms that the environment
// asks for, and it does so on all ranks alike.
template <class Init>
bool init_persistent(const Served &served, MPI_Info info, Counting &counting, MPI_Request *request, Init &&init,
                     int &code) {
  if (served.comm == MPI_COMM_NULL || request == nullptr) return false;
  RONDO_Request plan = RONDO_REQUEST_NULL;
  const int init_code = served.known == nullptr ? refuse_without_memory(served.comm, info) : init(&plan);
  return take_plan(init_code, plan, served, counting.tally(), request, code);
}

// The calls of Rondo's C interface have the arguments of MPI's, but for the request. `next` is the next layer's.
template <auto rondo_init, class Native, class... Arguments>
int init_as(const Served &served, const Native &next, const void *site, MPI_Info info, MPI_Request *request,
            Arguments... given) {
  const Blocked blocked;
  const HandlerLeftToCaller handler_left;
  const SendsAtStartOnly at_start_only(!all_help_by_mpi.load(std::memory_order_relaxed));
  Counting counting(Call::persistent, site);
  if (served.known != nullptr) counting.on(served.known->tallies().get());
  counting.sets_up();
  int code = MPI_SUCCESS;
  const auto init = [&](RONDO_Request *plan) { return rondo_init(given..., info, plan); };
  if (init_persistent(served, info, counting, request, init, code)) return code;
  counting.as(Done::refused);
  return next(given..., info, request);
}

}  // namespace rondo::internal::pmpi
