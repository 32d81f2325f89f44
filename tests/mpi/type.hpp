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

// Of ints.

constexpr MPI_Aint int_size = sizeof(int);

inline Type contiguous(int length) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(length, MPI_INT, &type);
  return Type(type);
}

inline Type vector(int blocks, int block_length, int stride) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(blocks, block_length, stride, MPI_INT, &type);
  return Type(type);
}

inline Type resized(const Type &base, MPI_Aint lower_bound, MPI_Aint extent) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(base, lower_bound, extent, &type);
  return Type(type);
}

}  // namespace rondo
