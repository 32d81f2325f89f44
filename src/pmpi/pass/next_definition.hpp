#pragma once

#include <dlfcn.h>

#include <atomic>

#include "wire/calls_beneath.hpp"

namespace rondo::internal::pmpi {

// The deepest call of this thread's beneath in which a communicator has ended that it did not free
// (pmpi/calls/ending.hpp); 0: none.
inline constinit thread_local int ended_in [[gnu::tls_model("initial-exec")]] = 0;
// That call is over.
void forget_ended();

class PassThrough {
 public:
  PassThrough() { ++calls_beneath; }
  ~PassThrough() {
    if (calls_beneath-- == ended_in) [[unlikely]]
      forget_ended();
  }
  PassThrough(const PassThrough &) = delete;
  PassThrough &operator=(const PassThrough &) = delete;
};

// The next definition of an MPI function, in the order in which the libraries of the program were loaded: that of
// another tool that stands beneath this one, or the MPI library's own.
template <class Function>
class Next {
 public:
  constexpr Next(const char *name, Function *of_library) : name_(name), of_library_(of_library) {}

  template <class... Arguments>
  int operator()(Arguments... arguments) const {
    Function *function = found_.load(std::memory_order_relaxed);
    if (function == nullptr) function = look_up();
    const PassThrough beneath;
    return function(arguments...);
  }

 private:
  // Two threads that look at once find the same.
  [[gnu::noinline]] Function *look_up() const {
    auto *function = reinterpret_cast<Function *>(dlsym(RTLD_NEXT, name_));
    if (function == nullptr) function = of_library_;
    found_.store(function, std::memory_order_relaxed);
    return function;
  }

  const char *name_;
  Function *of_library_;
  mutable std::atomic<Function *> found_{nullptr};
};

}  // namespace rondo::internal::pmpi
