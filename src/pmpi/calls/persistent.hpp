#pragma once

// How a persistent call becomes a plan of Rondo's and a request that stands for it.

#include <mpi.h>

#include "api/errhandler.hpp"
#include "api/init.hpp"
#include "pmpi/calls/communicator.hpp"
#include "pmpi/pass/blocked.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

// A communicator, if persistent calls on it are taken over, else MPI_COMM_NULL: all ranks have the same. `known` is
// null where this rank has no memory for what is kept for it, so that all ranks are to refuse the call.
struct Served {
  MPI_Comm comm = MPI_COMM_NULL;
  Communicator *known = nullptr;
};
Served served(MPI_Comm comm);
// The same for a call between neighbours.
Served served_neighbors(MPI_Comm comm);
// The same for a call that an intercommunicator may have, too.
Served served_groups(MPI_Comm comm);

// Takes part in the others' init, which then fails on all ranks. Gives its code.
int refuse_without_memory(MPI_Comm comm, MPI_Info info);

// What a call returns whose init has returned `init_code`; see init_persistent.
bool take_plan(int init_code, RONDO_Request plan, const Served &served, MPI_Request *request, int &code);

// Makes *request stand for the plan that init(&plan) makes. False where the call is not Rondo's affair: init says of
// some communicators and wishes that it does not serve them, and as with all its answers they are the same on all
// ranks. Else `code` is what the MPI call returns.
template <class Init>
bool init_persistent(const Served &served, MPI_Info info, const void *site, MPI_Request *request, Init &&init,
                     int &code) {
  if (served.comm == MPI_COMM_NULL || request == nullptr) return false;
  RONDO_Request plan = RONDO_REQUEST_NULL;
  Tally *const tally = served.known == nullptr ? nullptr : served.known->tally(Call::persistent, site);
  const Timed timed(tally == nullptr ? nullptr : &tally->seconds);
  const int init_code = served.known == nullptr ? refuse_without_memory(served.comm, info) : init(&plan);
  if (tally != nullptr) ++tally->calls;
  if (tally != nullptr && init_code == MPI_SUCCESS) ++tally->plans;
  return take_plan(init_code, plan, served, request, code);
}

// The calls of Rondo's C interface have the arguments of MPI's, but for the request. `next` is the next layer's.
template <auto rondo_init, class Native, class... Arguments>
int init_as(const Served &served, const Native &next, const void *site, MPI_Info info, MPI_Request *request,
            Arguments... given) {
  const Blocked blocked;
  const HandlerLeftToCaller handler_left;
  const SendsAtStartOnly at_start_only(!all_help_by_mpi.load(std::memory_order_relaxed));
  int code = MPI_SUCCESS;
  const auto init = [&](RONDO_Request *plan) { return rondo_init(given..., info, plan); };
  if (init_persistent(served, info, site, request, init, code)) return code;
  return next(given..., info, request);
}

}  // namespace rondo::internal::pmpi
