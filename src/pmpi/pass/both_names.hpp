#pragma once

// The PMPI_ names of the functions that this library has.
//
// A request of ours is to be completed by whoever holds it, and a collective call to be counted whoever makes it. Not
// all do so by the MPI_ name: a tool that stands above and wraps MPI_Start calls PMPI_Start, as do the Fortran bindings
// of Open MPI, and those of MPICH's mpi_f08 that have no buffers. So the interposer stands before the MPI library's
// functions by both names; both do the same.
//
// What reaches a PMPI_ name goes to the MPI library at once where it comes from the MPI library itself, or from a tool
// beneath that is handed on a call which has been through here. What Rondo does itself is never in doubt: the linker
// turns each PMPI_ function named below into library_MPI_... (src/pmpi/CMakeLists.txt).

#include <dlfcn.h>
#include <mpi.h>

#include <atomic>
#include <cstdint>

#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

// Whether a call by a PMPI_ name that returns to `site` is to be treated as one by the MPI_ name.
bool is_programs(const void *site);

// The MPI library's own definition, past all tools.
template <class Function>
class OfLibrary {
 public:
  explicit constexpr OfLibrary(const char *name) : name_(name) {}

  template <class... Arguments>
  int operator()(Arguments... arguments) const {
    Function *function = found_.load(std::memory_order_relaxed);
    if (function == nullptr) function = look_up();
    return function(arguments...);
  }

 private:
  [[gnu::noinline]] Function *look_up() const {
    auto *function = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name_));
    found_.store(function, std::memory_order_relaxed);
    return function;
  }

  const char *name_;
  mutable std::atomic<Function *> found_{nullptr};
};

}  // namespace rondo::internal::pmpi

// CMakeLists.txt looks for lines that begin with one of these two, with a word that begins with PASS_THROUGH, or
// POLLED.
#define ALSO_AS_PMPI(function, parameters, arguments) ALSO_AS_PMPI_OF_REQUESTS(function, false, parameters, arguments)
// Where `ours` is true, the call is one for this library wherever it comes from.
#define ALSO_AS_PMPI_OF_REQUESTS(function, ours, parameters, arguments)                                       \
  extern "C" int library_##function parameters __asm__("__wrap_P" #function);                                 \
  int library_##function parameters {                                                                         \
    static constinit const rondo::internal::pmpi::OfLibrary<decltype(P##function)> of_library{"P" #function}; \
    return of_library arguments;                                                                              \
  }                                                                                                           \
  RONDO_API int P##function parameters {                                                                      \
    if (rondo::internal::pmpi::is_programs(__builtin_return_address(0)) || (ours)) return function arguments; \
    return library_##function arguments;                                                                      \
  }
