#include "api/init_request.hpp"

#include <functional>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/hints.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

int init_request(const Call &call, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  const int code = guarded([&] {
    if (request != nullptr) *request = RONDO_REQUEST_NULL;
    check_mpi_is_up_for(comm);
    // Told with the other arguments, so that the other ranks hear of it.
    const auto refuse = [](const Channel &) -> Arguments {
      throw Error(Fault::argument, "the request argument is null");
    };
    const Call refused{std::cref(refuse), call.takes_two_groups};
    OwnedRequest made = init(request == nullptr ? refused : call, comm, info);
    if (request != nullptr) *request = made.release();
  });
  // A bad communicator has no handler that could be called.
  const bool has_handler = comm != MPI_COMM_NULL && !HandlerLeftToCaller::lives();
  if (code != MPI_SUCCESS && code != RONDO_ERR_COMM && has_handler && wants_handler(info)) call_handler(comm, code);
  return code;
}

}  // namespace rondo::internal
