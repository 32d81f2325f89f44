#include "api/init_request.hpp"

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/hints.hpp"
#include "wire/mpi_call.hpp"

namespace rondo {

int init_request(const Call &call, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  const int code = guarded([&] {
    if (request != nullptr) *request = RONDO_REQUEST_NULL;
    check_mpi_is_up_for(comm);
    if (request == nullptr) throw Error(Fault::argument, "the request argument is null");
    *request = init(call, comm, info).release();
  });
  // A bad communicator has no handler that could be called.
  if (code != MPI_SUCCESS && code != RONDO_ERR_COMM && comm != MPI_COMM_NULL && wants_handler(info)) {
    call_handler(comm, code);
  }
  return code;
}

}  // namespace rondo
