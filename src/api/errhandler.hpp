#pragma once

#include <mpi.h>

#include "api/fault.hpp"
#include "api/request.hpp"

namespace rondo {

// rondo_errors=handler: the error handler of the communicator is called with an MPI error code of Rondo's own, whose
// string is the whole message of this thread's last error. `code` is a RONDO_ERR_ code, and what the call of Rondo's
// returns if the handler lets it. Nothing happens for MPI_COMM_NULL, or once MPI is finalized.
void call_handler(MPI_Comm comm, int code);

// The request that the call under way on this thread is about.
void blame(const RONDO_Request_object *request);
const RONDO_Request_object *blamed();

// As guarded(), for calls on requests, which blame() the one that they are at.
template <class Work>
int guarded_on_requests(Work &&work) {
  blame(nullptr);
  const int code = guarded(work);
  const RONDO_Request_object *request = blamed();
  if (code != MPI_SUCCESS && request != nullptr && request->errors_to) call_handler(*request->errors_to, code);
  return code;
}

}  // namespace rondo
