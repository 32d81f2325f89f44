#pragma once

#include <mpi.h>

#include "exchange/error.hpp"

namespace rondo::internal {

// Throws Error (mpi) with the call's name and MPI's own message when code is not MPI_SUCCESS.
void check_mpi(int code, const char *call);

// Whether MPI may still be called. A plan may be freed after MPI_Finalize, which has then taken its MPI objects.
bool mpi_is_up() noexcept;

// Whether there are MPI_COMM_WORLD and MPI_COMM_SELF: between MPI_Init and MPI_Finalize. A program that has sessions
// only may call MPI without them.
bool has_world() noexcept;

// Whether threads of the program may call MPI at once: with MPI_THREAD_MULTIPLE, and in a program that has sessions
// only, as MPI tells the level of a session for the session's handle only.
bool threads_call_at_once() noexcept;

// Throws Error of this kind where MPI may not be called: after MPI_Finalize, and before MPI_Init with an MPI library
// that has no sessions. With one that has them, a program may use MPI without MPI_Init, and MPI does not tell whether a
// session is open.
void check_mpi_is_up(Fault kind);
// Throws Error (comm) where no call on this communicator may be made: likewise, and for MPI_COMM_WORLD and
// MPI_COMM_SELF where MPI_Init has not been called.
void check_mpi_is_up_for(MPI_Comm comm);

// Whether an operation has been started and is not complete. Leaves the request as it is.
bool is_pending(MPI_Request request) noexcept;

// While one lives, MPI calls that have no communicator (on datatypes, or on a stale handle) return their errors
// instead of ending the program, as far as there is a handler for them, which sessions do not have. Any number of
// threads may have one at once.
class ErrorsReturned {
 public:
  ErrorsReturned();
  ~ErrorsReturned();
  ErrorsReturned(const ErrorsReturned &) = delete;
  ErrorsReturned &operator=(const ErrorsReturned &) = delete;

 private:
  const bool has_world_;
};

}  // namespace rondo::internal
