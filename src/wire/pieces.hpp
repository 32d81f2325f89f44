#pragma once

// Derived datatypes for messages that consist of several pieces of memory.

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rondo {

// `count` elements of a type, from an address on. A type that the program gave may be used as it is.
struct TypedPiece {
  std::byte *address;
  std::int64_t count;
  MPI_Datatype type;

  friend bool operator==(const TypedPiece &, const TypedPiece &) = default;
};

// The arguments that describe a message to MPI.
struct TypedMessage {
  void *buffer;
  int count;
  MPI_Datatype type;
};

// Describes pieces in their order, with the constructor that needs the fewest entries: none for one piece; contiguous;
// a vector where lengths and strides are alike (and what is left over after it, Träff 2014, section 3.1: a bounded
// vector); indexed blocks where lengths are; indexed where types are; else a struct. Types that are made are committed
// and added to `made`, whose owner frees them. At least one piece. Local.
TypedMessage describe(std::span<const TypedPiece> pieces, std::vector<MPI_Datatype> &made);

}  // namespace rondo
