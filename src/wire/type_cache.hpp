#pragma once

#include <mpi.h>

#include <cstdint>

#include "wire/datatype.hpp"

namespace rondo::internal {

// The shape of a datatype, found out once and kept with it. Throws Error (type), in which `side` ("send", "receive")
// says whose the type is, for a null, freed or uncommitted one. Local.
//
// Nothing is kept where types may be about to end, in a call of whatever thread that frees one, or in a delete function
// of the program's in this thread (wire/calls_beneath.hpp): it may use a type once more, or have another thread use it,
// but what is kept with it would not be deleted, and the next type may have the handle.
DatatypeShape cached_shape(MPI_Datatype type, const char *side);

// Lives around each call that frees a type.
class TypesBeingFreed {
 public:
  TypesBeingFreed() noexcept;
  ~TypesBeingFreed();
  TypesBeingFreed(const TypesBeingFreed &) = delete;
  TypesBeingFreed &operator=(const TypesBeingFreed &) = delete;
};

// Whether the shape of this datatype is kept: then the program has used it. Local.
bool has_cached_shape(MPI_Datatype type);

// Changes when a type whose shape was kept is freed: until then a handle means the type that it meant before.
std::uint64_t types_freed();
// Changes when a shape is found that is not kept: of what its type's handle means later nothing is known.
std::uint64_t passing_types_used();

}  // namespace rondo::internal
