#pragma once

#include <mpi.h>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/hints.hpp"
#include "api/init.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

// What every init call of the C interface ends in: plans by make(), which gives an OwnedRequest, hands out the request
// or the code of the error, and tells the communicator's error handler where it is asked to. `request` may be null:
// then make() throws on all ranks.
template <class Make>
int hand_out_request(MPI_Comm comm, MPI_Info info, RONDO_Request *request, Make &&make) {
  const int code = guarded([&] {
    if (request != nullptr) *request = RONDO_REQUEST_NULL;
    check_mpi_is_up_for(comm);
    OwnedRequest made = make();
    if (request != nullptr) *request = made.release();
  });
  // A bad communicator has no handler that could be called.
  const bool has_handler = comm != MPI_COMM_NULL && !HandlerLeftToCaller::lives();
  if (code != MPI_SUCCESS && code != RONDO_ERR_COMM && has_handler && wants_handler(info)) call_handler(comm, code);
  return code;
}

// The fault of a null request argument, which is told with the other arguments, so that the other ranks hear of it.
inline Error no_place_for_request() {
  return {Fault::argument, "the request argument is null"};
}

// The same for the calls with fixed counts.
int init_request(const Call &call, MPI_Comm comm, MPI_Info info, RONDO_Request *request);

}  // namespace rondo::internal
