#pragma once

#include <mpi.h>

#include <utility>

namespace rondo {

// A committed type, freed at the end.
class Type {
 public:
  explicit Type(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  Type(Type &&other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  Type &operator=(Type &&) = delete;
  ~Type() { free(); }

  void free() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_;
};

}  // namespace rondo
