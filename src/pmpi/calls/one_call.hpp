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

// The arguments of a call, which must live as long as the result refers to them. First for MPI_Alltoall, MPI_Allgather
// and their like, then for MPI_Allgatherv, for calls with a datatype for each entry, and for calls with one for all.
template <class Count>
call::CallArguments arguments_of(const void *sendbuf, const Count &sendcount, const MPI_Datatype &sendtype,
                                 void *recvbuf, const Count &recvcount, const MPI_Datatype &recvtype) {
  const OnDevice on_device = are_device_memory(sendbuf, recvbuf);
  return {.send = {const_cast<void *>(sendbuf), &sendcount, nullptr, &sendtype, sizeof(Count), sizeof(Count),
                   on_device.send},
          .receive = {recvbuf, &recvcount, nullptr, &recvtype, sizeof(Count), sizeof(Count), on_device.receive},
          .may_be_on_device = on_device.possible};
}

// Of MPI_Allgatherv: what is sent has one count.
template <class Count, class Displacement>
call::CallArguments arguments_of(const void *sendbuf, const Count &sendcount, const MPI_Datatype &sendtype,
                                 void *recvbuf, const Count *recvcounts, const Displacement *rdispls,
                                 const MPI_Datatype &recvtype) {
  const OnDevice on_device = are_device_memory(sendbuf, recvbuf);
  return {.send = {const_cast<void *>(sendbuf), &sendcount, nullptr, &sendtype, sizeof(Count), sizeof(Displacement),
                   on_device.send},
          .receive = {recvbuf, recvcounts, rdispls, &recvtype, sizeof(Count), sizeof(Displacement), on_device.receive},
          .may_be_on_device = on_device.possible};
}

// With a datatype for each entry.
template <class Count, class Displacement>
call::CallArguments arguments_of(const void *sendbuf, const Count *sendcounts, const Displacement *sdispls,
                                 const MPI_Datatype *sendtypes, void *recvbuf, const Count *recvcounts,
                                 const Displacement *rdispls, const MPI_Datatype *recvtypes) {
  const OnDevice on_device = are_device_memory(sendbuf, recvbuf);
  return {.send = {const_cast<void *>(sendbuf), sendcounts, sdispls, sendtypes, sizeof(Count), sizeof(Displacement),
                   on_device.send},
          .receive = {recvbuf, recvcounts, rdispls, recvtypes, sizeof(Count), sizeof(Displacement), on_device.receive},
          .each_type = true,
          .may_be_on_device = on_device.possible};
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

// A side without entries needs no arrays: null pointers of it are replaced. Only this rank knows that it has none: it
// must not leave the call to the MPI library while the other ranks take it over.
void give_arrays(const call::Peers &peers, call::CallArguments &arguments);

// Whether the arguments have all arrays that they need, so that Rondo can do the call. Where not, the MPI library is to
// report the error. Gives sides of neighbours that have no entries arrays.
[[gnu::always_inline]] inline bool is_complete(Communicator &communicator, Call call, call::CallArguments &arguments) {
  const auto has_arrays = [](const call::SideArguments &side, bool has_one_count) {
    return side.counts != nullptr && side.types != nullptr && (side.displs != nullptr || has_one_count);
  };
  const bool in_place = arguments.in_place();
  arguments.gathers = gathers(call);
  if (arguments.receive.buffer == MPI_IN_PLACE) return false;
  if (in_place && (is_of_neighbors(call) || communicator.scope().joins_groups))
    return false;  // it has no meaning there
  if (is_of_neighbors(call)) give_arrays(communicator.peers(call), arguments);
  return has_arrays(arguments.receive, is_uniform(call)) &&
         (in_place || has_arrays(arguments.send, is_uniform(call) || gathers(call)));
}

// Of a call that the communicator has no answer to yet, or that is reported: whether Rondo does it. Counts it.
bool finds_served(Communicator &found, Call call, Counting &counting);

// Whether Rondo does this call of the program's. Counts the call.
[[gnu::always_inline]] inline bool is_served(Communicator &found, Call call, Counting &counting) {
  return found.serves_as_before(call) || finds_served(found, call, counting);
}

// This rank leaves a call that it ought to do to the MPI library, as its arguments are bad: tells the other ranks.
void fail_alone(Communicator &communicator, Call call);

// Does the call, and returns what the MPI call is to return. Throws where it fails.
int run(Communicator &communicator, Call call, const call::CallArguments &arguments, Counting &counting);
// Starts it, and makes *request stand for it.
int begin(Communicator &communicator, Call call, const call::CallArguments &arguments, Counting &counting,
          MPI_Request *request);

// Does a blocking call, either by Rondo or by the next layer: next(given..., comm). Counts it. Part of the entry point:
// what is asked of the kind of call is known there.
template <class Next, class... Given>
[[gnu::always_inline]] inline int do_call(Call call, MPI_Comm comm, const void *site, const Next &next,
                                          Given... given) {
  return or_raise(comm, [&]() __attribute__((always_inline)) {
    Counting counting(call, site);
    Communicator *const found = settings().takes(call) ? communicator(comm) : nullptr;
    if (found != nullptr && is_served(*found, call, counting)) {
      call::CallArguments arguments = arguments_of(given...);
      if (is_complete(*found, call, arguments)) return run(*found, call, arguments, counting);
      counting.as(Done::bad_arguments);
      fail_alone(*found, call);
    }
    const Blocked blocked;
    return next(given..., comm);
  });
}

// Starts a non-blocking call likewise: next(given..., comm, request).
template <class Next, class... Given>
[[gnu::always_inline]] inline int start_call(Call call, MPI_Comm comm, MPI_Request *request, const void *site,
                                             const Next &next, Given... given) {
  return or_raise(comm, [&]() __attribute__((always_inline)) {
    Counting counting(call, site);
    Communicator *const found = settings().takes(call) ? communicator(comm) : nullptr;
    if (found != nullptr && is_served(*found, call, counting)) {
      call::CallArguments arguments = arguments_of(given...);
      if (request != nullptr && is_complete(*found, call, arguments)) {
        return begin(*found, call, arguments, counting, request);
      }
      counting.as(Done::bad_arguments);
      fail_alone(*found, call);
    }
    const Blocked blocked;
    return next(given..., comm, request);
  });
}

}  // namespace rondo::internal::pmpi
