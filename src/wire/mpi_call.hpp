#pragma once

#include <mpi.h>

namespace rondo {

// Throws Error (mpi) with the call's name and MPI's own message when code is not MPI_SUCCESS.
void check_mpi(int code, const char *call);

// Whether MPI may still be called. A plan may be freed after MPI_Finalize, which has then taken its MPI objects.
bool mpi_is_up() noexcept;

// Whether an operation has been started and is not complete. Leaves the request as it is.
bool is_pending(MPI_Request request) noexcept;

// While one lives, MPI calls that have no communicator (on datatypes, or on a stale handle) return their errors
// instead of ending the program. Local: hold it over local calls only.
class ErrorsReturned {
 public:
  ErrorsReturned();
  ~ErrorsReturned();
  ErrorsReturned(const ErrorsReturned &) = delete;
  ErrorsReturned &operator=(const ErrorsReturned &) = delete;

 private:
  MPI_Errhandler world_ = MPI_ERRHANDLER_NULL;
  MPI_Errhandler self_ = MPI_ERRHANDLER_NULL;
};

}  // namespace rondo
