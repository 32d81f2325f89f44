#pragma once

#include <mpi.h>

#include <utility>

namespace rondo {

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

  void free() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace rondo
