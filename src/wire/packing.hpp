#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "wire/copy.hpp"
#include "wire/datatype.hpp"

namespace rondo::internal {

// Elements of one datatype, one after the other, in the program's memory.
struct TypedElements {
  std::byte *first;  // where MPI expects the first element
  std::int64_t count;
  MPI_Datatype type;
  const DatatypeShape &shape;
  std::span<const Extent> runs{};  // of bytes, of an element with gaps; empty where they are not known

  // Of data without gaps: its first byte.
  [[nodiscard]] std::byte *data() const { return first + shape.true_lower_bound; }
  [[nodiscard]] std::int64_t bytes() const { return count * shape.size; }
};

// Copies elements to their packed form, which is their bytes without the gaps, and back: run by run where the runs are
// known, else by MPI_Pack and MPI_Unpack on the communicator. Both throw Error (mpi).
void pack(const TypedElements &elements, std::byte *packed, MPI_Comm comm);
void unpack(const TypedElements &elements, const std::byte *packed, MPI_Comm comm);

// Copies what a rank sends to itself: elements to others of as many bytes, which may be the same ones. Throws Error
// (mpi). Part of every call, in which there are seldom gaps.
void copy_with_gaps(const TypedElements &from, const TypedElements &to, MPI_Comm comm);
inline void copy_elements(const TypedElements &from, const TypedElements &to, MPI_Comm comm) {
  if (!from.shape.dense || !to.shape.dense) [[unlikely]]
    return copy_with_gaps(from, to, comm);
  copy_bytes(to.data(), from.data(), static_cast<std::size_t>(from.bytes()));
}

}  // namespace rondo::internal
