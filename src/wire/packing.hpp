#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "wire/datatype.hpp"

namespace rondo::internal {

// Elements of one datatype, one after the other, in the program's memory.
struct TypedElements {
  std::byte *first;  // where MPI expects the first element
  std::int64_t count;
  MPI_Datatype type;
  const DatatypeShape &shape;
  std::span<const Extent> runs{};  // of bytes, of an element with gaps; empty where they are not known
};

// Copies elements to their packed form, which is their bytes without the gaps, and back: run by run where the runs are
// known, else by MPI_Pack and MPI_Unpack on the communicator. Both throw Error (mpi).
void pack(const TypedElements &elements, std::byte *packed, MPI_Comm comm);
void unpack(const TypedElements &elements, const std::byte *packed, MPI_Comm comm);

// Copies what a rank sends to itself: elements to others of as many bytes, which may be the same ones. Throws Error
// (mpi).
void copy_elements(const TypedElements &from, const TypedElements &to, MPI_Comm comm);

}  // namespace rondo::internal
