#pragma once

// What calls that are not persistent have in common.

#include <mpi.h>

#include <memory>

#include "call/arguments.hpp"
#include "exchange/error.hpp"
#include "pmpi/calls/communicator.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/requests/raise.hpp"
#include "wire/device_memory.hpp"

namespace rondo::internal::pmpi {

// The arguments of a call, which must live as long as the result refers to them. First for MPI_Alltoall and its like,
// then for calls with a datatype for each entry, then for calls with one datatype for all.
template <class Count>
call::CallArguments arguments_of(const void *sendbuf, const Count &sendcount, const MPI_Datatype &sendtype,
                                 void *recvbuf, const Count &recvcount, const MPI_Datatype &recvtype) {
  return {
      .send = {const_cast<void *>(sendbuf), &sendcount, nullptr, &sendtype, sizeof(Count), is_device_memory(sendbuf)},
      .receive = {recvbuf, &recvcount, nullptr, &recvtype, sizeof(Count), is_device_memory(recvbuf)}};
}

// With a datatype for each entry.
template <class Count, class Displacement>
call::CallArguments arguments_of(const void *sendbuf, const Count *sendcounts, const Displacement *sdispls,
                                 const MPI_Datatype *sendtypes, void *recvbuf, const Count *recvcounts,
                                 const Displacement *rdispls, const MPI_Datatype *recvtypes) {
  static_assert(sizeof(Count) == sizeof(Displacement));
  return {
      .send = {const_cast<void *>(sendbuf), sendcounts, sdispls, sendtypes, sizeof(Count), is_device_memory(sendbuf)},
      .receive = {recvbuf, recvcounts, rdispls, recvtypes, sizeof(Count), is_device_memory(recvbuf)},
      .each_type = true};
}

// With one datatype for all entries.
template <class Count, class Displacement>
call::CallArguments arguments_of(const void *sendbuf, const Count *sendcounts, const Displacement *sdispls,
                                 const MPI_Datatype &sendtype, void *recvbuf, const Count *recvcounts,
                                 const Displacement *rdispls, const MPI_Datatype &recvtype) {
  call::CallArguments arguments =
      arguments_of(sendbuf, sendcounts, sdispls, &sendtype, recvbuf, recvcounts, rdispls, &recvtype);
  arguments.each_type = false;
  return arguments;
}

// Whether the arguments have all arrays that they need, so that Rondo can do the call. Where not, the MPI library is to
// report the error. A side without entries needs no arrays: null pointers of it are replaced.
bool is_complete(Communicator &communicator, Call call, call::CallArguments &arguments);

// Does the call, and returns what the MPI call is to return. Throws where it fails.
int run(Communicator &communicator, Call call, const call::CallArguments &arguments, const void *site);
// Starts it, and makes *request stand for it.
int begin(Communicator &communicator, Call call, const call::CallArguments &arguments, const void *site,
          MPI_Request *request);

// What native() returns, counted for the report. `communicator` may be null.
template <class Native>
int run_natively(Communicator *communicator, Call call, const void *site, Native &&native) {
  const Blocked blocked;
  Tally *const tally = communicator == nullptr ? nullptr : communicator->tally(call, site);
  if (tally == nullptr) return native();
  ++tally->native_calls;
  const Timed timed(&tally->native_seconds);
  return native();
}

// Does a blocking call, either by Rondo or by the next layer: next(given..., comm). Counts it.
template <class Next, class... Given>
int do_call(Call call, MPI_Comm comm, const void *site, const Next &next, Given... given) {
  return or_raise(comm, [&] {
    Communicator *const found = settings().takes(call) ? communicator(comm) : nullptr;
    if (found != nullptr && found->serves(call)) {
      call::CallArguments arguments = arguments_of(given...);
      if (is_complete(*found, call, arguments)) return run(*found, call, arguments, site);
    }
    return run_natively(found, call, site, [&] { return next(given..., comm); });
  });
}

// Starts a non-blocking call likewise: next(given..., comm, request).
template <class Next, class... Given>
int start_call(Call call, MPI_Comm comm, MPI_Request *request, const void *site, const Next &next, Given... given) {
  return or_raise(comm, [&] {
    Communicator *const found = settings().takes(call) ? communicator(comm) : nullptr;
    if (found != nullptr && found->serves(call)) {
      call::CallArguments arguments = arguments_of(given...);
      if (is_complete(*found, call, arguments)) return begin(*found, call, arguments, site, request);
    }
    return run_natively(found, call, site, [&] { return next(given..., comm, request); });
  });
}

}  // namespace rondo::internal::pmpi
