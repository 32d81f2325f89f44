#pragma once

#include <mpi.h>

#include <optional>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

// While an object of this class lives, MPI calls on a communicator of the user's return their errors, whatever error
// handler it has. The handlers of MPI_COMM_WORLD and MPI_COMM_SELF are replaced by ErrorsReturned, since several
// threads may replace them at the same time.
class UserErrorsReturned {
 public:
  explicit UserErrorsReturned(MPI_Comm user) : user_(user) {
    if (user == MPI_COMM_WORLD || user == MPI_COMM_SELF) {
      of_world_.emplace();
      return;
    }
    MPI_Comm_get_errhandler(user, &handler_);
    MPI_Comm_set_errhandler(user, MPI_ERRORS_RETURN);
  }
  ~UserErrorsReturned() {
    if (of_world_) return;
    MPI_Comm_set_errhandler(user_, handler_);
    MPI_Errhandler_free(&handler_);
  }
  UserErrorsReturned(const UserErrorsReturned &) = delete;
  UserErrorsReturned &operator=(const UserErrorsReturned &) = delete;

 private:
  MPI_Comm user_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  std::optional<ErrorsReturned> of_world_;
};

}  // namespace rondo::internal
