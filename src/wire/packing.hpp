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

// Between elements and their packed data, which is their bytes without the gaps: copied run by run, or, where the runs
// are not known, packed by MPI on the communicator. Both throw Error (mpi).
void pack(const TypedElements &elements, std::byte *packed, MPI_Comm comm);
void unpack(const TypedElements &elements, const std::byte *packed, MPI_Comm comm);

}  // namespace rondo::internal
