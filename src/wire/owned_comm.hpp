#pragma once

#include <mpi.h>

#include <utility>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

// A communicator that is freed by its owner's destructor; its errors are returned.
class OwnedComm {
 public:
  OwnedComm() = default;
  explicit OwnedComm(MPI_Comm comm) : comm_(comm) { MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN); }
  OwnedComm(OwnedComm &&other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  OwnedComm &operator=(OwnedComm &&other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  ~OwnedComm() { free(); }

  // A communicator on which a stalled plan has left messages that nobody has received: MPICH 4.2 reports these as an
  // error to the handler of MPI_COMM_SELF, which must not end the program.
  void free() {
    if (comm_ == MPI_COMM_NULL) return;
    const ErrorsReturned returned;
    MPI_Comm_free(&comm_);
    comm_ = MPI_COMM_NULL;
  }
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace rondo::internal
