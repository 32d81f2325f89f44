#pragma once

// Derived datatypes for messages that consist of several pieces of memory.

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

namespace rondo::internal {

// `count` elements of a type, from an address on. A type that the program gave may be used as it is.
struct TypedPiece {
  std::byte *address;
  std::int64_t count;
  MPI_Datatype type;
};

// The arguments that describe a message to MPI.
struct TypedMessage {
  void *buffer;
  int count;
  MPI_Datatype type;
};

// How a datatype names the runs of a message (Träff 2014, sections 3.1 and 4, compares these). A message that is one
// run needs no datatype.
struct Entries {
  enum class Form : std::uint8_t {
    fewest,  // by the constructor that needs the fewest entries
    runs,    // each run with its length: an indexed type
    blocks,  // each block, though several may lie in a row: an indexed block type
  };
  Form form = Form::fewest;
  std::int64_t block = 0;  // elements of a block, of which all runs are multiples; for Form::blocks
};

// The arguments for pieces in their order. Types that are made are committed and added to `made`, whose owner frees
// them. At least one piece. Local.
TypedMessage describe(std::span<const TypedPiece> pieces, std::vector<MPI_Datatype> &made, Entries entries = {});

// `count` elements of a type, from an offset in bytes on.
struct Elements {
  MPI_Aint offset;
  std::int64_t count;
  MPI_Datatype type;
};

// A datatype of these runs in their order, where nothing else is said by the constructor that needs the fewest entries:
// contiguous; a vector where
// lengths and strides are alike; a struct of a few of those (a vector and what is left over: Träff 2014, section 3.1);
// blocks of one length at offsets; blocks of several lengths; or, where types differ, a struct. Its extent is what MPI
// makes of it. Not committed; the caller frees it. Local.
MPI_Datatype make_type(std::span<const Elements> runs, Entries entries = {});

}  // namespace rondo::internal
