#pragma once

#include "exchange/error.hpp"
#include "rondo/rondo.h"

namespace rondo {

constexpr int first_code = RONDO_ERR_COUNT;
constexpr int last_code = RONDO_ERR_STALLED;

// Keeps the error as this thread's last and gives its RONDO_ERR_ code.
int remember(const Error &error) noexcept;

// Runs an entry point's work; what it throws becomes the code that the entry point returns.
template <class Work>
int guarded(Work &&work) noexcept {
  try {
    work();
    return MPI_SUCCESS;
  } catch (const Error &error) {
    return remember(error);
  } catch (const std::bad_alloc &) {
    return remember(Error(Fault::no_memory, "out of memory"));
  } catch (const std::exception &error) {
    return remember(Error::of(Fault::internal, [&] { return error.what(); }));
  }
}

}  // namespace rondo
