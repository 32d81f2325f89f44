#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

#include "wire/datatype.hpp"

namespace rondo::internal {

// The shape of a datatype, found out once and kept with it: the same object for as long as the program has the type.
// Throws Error (type), in which `side` ("send", "receive") says whose the type is, for a null, freed or uncommitted
// one. Local.
const DatatypeShape &cached_shape(MPI_Datatype type, const char *side);

// Whether the shape of this datatype is kept: then the program has used it. Local.
bool has_cached_shape(MPI_Datatype type);

// Changes when a type whose shape was kept is freed: until then a handle means the type that it meant before.
std::uint64_t types_freed();

}  // namespace rondo::internal
