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

struct CachedType;

// Lives around each call that frees a type. Until its end the shapes of the types that end in the call are those that
// were kept: delete functions of the program's may use such a type, but nothing that is kept with it anew would be
// deleted, and the next type may have its handle.
class TypesBeingFreed {
 public:
  TypesBeingFreed() noexcept : before_(ending) { ++lives; }
  ~TypesBeingFreed();
  TypesBeingFreed(const TypesBeingFreed &) = delete;
  TypesBeingFreed &operator=(const TypesBeingFreed &) = delete;

  // Takes what was kept with a type that ends; deletes it at once where no call is known to free it.
  static void take(CachedType *cached) noexcept;
  // Null where the type does not end in a call of this thread's.
  static CachedType *find(MPI_Datatype type) noexcept;

 private:
  CachedType *const before_;

  static constinit thread_local int lives [[gnu::tls_model("initial-exec")]];
  static constinit thread_local CachedType *ending [[gnu::tls_model("initial-exec")]];
};

// Whether the shape of this datatype is kept: then the program has used it. Local.
bool has_cached_shape(MPI_Datatype type);

// Changes when a type whose shape was kept is freed: until then a handle means the type that it meant before.
std::uint64_t types_freed();

}  // namespace rondo::internal
