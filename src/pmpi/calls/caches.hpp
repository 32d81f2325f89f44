#pragma once

// What is kept of earlier calls, for when the same arguments come again, and when it is forgotten.

#include <mpi.h>

#include <cstddef>
#include <mutex>
#include <vector>

#include "call/message_cache.hpp"

namespace rondo::internal::pmpi {

// The messages of the last calls of each kind.
class Caches {
 public:
  Caches();  // throws std::bad_alloc
  ~Caches();
  Caches(const Caches &) = delete;
  Caches &operator=(const Caches &) = delete;

  call::MessageCache &operator[](std::size_t call) { return caches_[call]; }

  // The program frees this datatype: whatever is kept of calls with it goes, in the caches of all communicators, so
  // that the delete functions of the type's attributes are called when the MPI library would call them, on all ranks.
  // Not where the program frees it in the midst of a call of this thread's.
  static void forget(MPI_Datatype type);
  // Where threads call at once, what one has found may be forgotten by another, unless it is found and held under this
  // lock of all caches.
  static std::unique_lock<std::mutex> lock();

  // While one lives, this thread uses what it has found.
  class InUse {
   public:
    InUse() { ++uses; }
    ~InUse() { --uses; }
    InUse(const InUse &) = delete;
    InUse &operator=(const InUse &) = delete;
  };

 private:
  static inline constinit thread_local int uses [[gnu::tls_model("initial-exec")]] = 0;

  std::vector<call::MessageCache> caches_;
};

}  // namespace rondo::internal::pmpi
