#pragma once

#include <mpi.h>

#include <cstdint>

#include "wire/datatype.hpp"

namespace rondo::internal {

// The shape of a datatype, found out once and kept with it. Throws Error (type), in which `side` ("send", "receive")
// says whose the type is, for a null, freed or uncommitted one. Local.
DatatypeShape cached_shape(MPI_Datatype type, const char *side);

// Lives around each call that frees a type. While there are any, in whatever thread, nothing is kept anew with a type:
// delete functions of the program's may use types that end in the call, or have another thread use them, but what is
// kept with them would not be deleted, and the next type may have the handle.
class TypesBeingFreed {
 public:
  TypesBeingFreed() noexcept;
  ~TypesBeingFreed();
  TypesBeingFreed(const TypesBeingFreed &) = delete;
  TypesBeingFreed &operator=(const TypesBeingFreed &) = delete;

 private:
  const std::uint64_t uses_before_;
};

// Whether anything may be kept of calls with this datatype. Local.
bool may_be_kept(MPI_Datatype type);

// Changes when a type has ended whose shape somebody knows: until then a handle means the type that it meant before.
std::uint64_t types_freed();

}  // namespace rondo::internal
