#pragma once

#include <mpi.h>

#include <cstdint>

#include "wire/datatype.hpp"
#include "wire/type_runs.hpp"

namespace rondo::internal {

struct KnownType {
  DatatypeShape shape;
  TypeRuns runs;  // of a type with gaps, where they are known and not very many
};

// What is to be known of a datatype, found out once and kept with it. Throws Error (type), in which `side` ("send",
// "receive") says whose the type is, for a null, freed or uncommitted one. Local.
//
// Nothing is kept where types may be about to end, in a call of whatever thread that frees one, or in a delete function
// of the program's in this thread (wire/calls_beneath.hpp): it may use a type once more, or have another thread use it,
// but what is kept with it would not be deleted, and the next type may have the handle.
KnownType cached_type(MPI_Datatype type, const char *side);
// What is kept of it, which lives as long as the type does; null where nothing is kept.
const KnownType *kept_type(MPI_Datatype type, const char *side);

// Lives around each call that frees a type.
class TypesBeingFreed {
 public:
  TypesBeingFreed() noexcept;
  ~TypesBeingFreed();
  TypesBeingFreed(const TypesBeingFreed &) = delete;
  TypesBeingFreed &operator=(const TypesBeingFreed &) = delete;
};

// Whether this datatype is known: then the program has used it. Local.
bool is_cached_type(MPI_Datatype type);

// Changes when a type that was known is freed: until then a handle means the type that it meant before.
std::uint64_t types_freed();
// Changes when what is found of a type is not kept: of what its handle means later nothing is known.
std::uint64_t passing_types_used();

}  // namespace rondo::internal
