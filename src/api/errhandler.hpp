#pragma once

#include <mpi.h>

#include "api/fault.hpp"
#include "api/request.hpp"

namespace rondo::internal {

// rondo_errors=handler: the error handler of the communicator is called with an MPI error code of Rondo's own, whose
// string is the whole message of this thread's last error. `code` is a RONDO_ERR_ code, and what the call of Rondo's
// returns if the handler lets it. Nothing happens for MPI_COMM_NULL, or once MPI is finalized.
void call_handler(MPI_Comm comm, int code);

// While an object of this class lives, inits on this thread call no error handler, whatever rondo_errors says. For the
// interposer, which calls the handler itself where the MPI library cannot take over the call.
class HandlerLeftToCaller {
 public:
  HandlerLeftToCaller();
  ~HandlerLeftToCaller();
  HandlerLeftToCaller(const HandlerLeftToCaller &) = delete;
  HandlerLeftToCaller &operator=(const HandlerLeftToCaller &) = delete;

  static bool lives();

 private:
  const bool before_;
};

// The request that an error is about, or null.
using About = const RONDO_Request_object *;

// As guarded(), for calls on requests: work(about) sets `about` to the request with which it is busy, and an error then
// also goes to that request's error handler, if it has one.
template <class Work>
int guarded_on_requests(Work &&work) {
  About about = nullptr;
  const int code = guarded([&] { work(about); });
  if (code != MPI_SUCCESS && about != nullptr && about->errors_to) call_handler(*about->errors_to, code);
  return code;
}

}  // namespace rondo::internal
