#pragma once

#include <mpi.h>

#include <cstdint>

#include "wire/datatype.hpp"

namespace rondo::internal {

// The shape of a datatype, found out once and kept with it. Throws Error (type), in which `side` ("send", "receive")
// says whose the type is, for a null, freed or uncommitted one. Local.
DatatypeShape cached_shape(MPI_Datatype type, const char *side);

struct CachedType;

// Lives around each call that frees a type. Until its end nothing is kept anew with this type, nor with others that end
// in the call: delete functions of the program's may use such a type, or have another thread use it, but what is kept
// with it would not be deleted, and the next type may have its handle.
class TypesBeingFreed {
 public:
  explicit TypesBeingFreed(MPI_Datatype type) noexcept;
  ~TypesBeingFreed();
  TypesBeingFreed(const TypesBeingFreed &) = delete;
  TypesBeingFreed &operator=(const TypesBeingFreed &) = delete;

  // Takes what was kept with a type that ends; deletes it at once where no call of this thread's is known to free it.
  static void take(CachedType *cached) noexcept;
  // Whether the type, which is used once more, is freed or ends in a call that is under way; or another had its handle
  // that does.
  static bool use(MPI_Datatype type) noexcept;
  static bool any() noexcept;

 private:
  [[nodiscard]] bool frees(MPI_Datatype type) const noexcept;

  const MPI_Datatype type_;
  TypesBeingFreed *const around_;  // of this thread
  TypesBeingFreed *next_;          // of all threads
  bool used_ = false;
  CachedType *ended_ = nullptr;

  static constinit thread_local TypesBeingFreed *innermost [[gnu::tls_model("initial-exec")]];
};

// Whether anything may be kept of calls with this datatype. Local.
bool may_be_kept(MPI_Datatype type);

// Changes when a type whose shape was kept is freed: until then a handle means the type that it meant before.
std::uint64_t types_freed();

}  // namespace rondo::internal
