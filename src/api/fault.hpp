#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "exchange/error.hpp"
#include "rondo/rondo.h"
#include "wire/held_type.hpp"

namespace rondo::internal {

constexpr int first_code = RONDO_ERR_COUNT;
constexpr int last_code = RONDO_ERR_CAPACITY;

constexpr int code_of(Fault fault) {
  return first_code + static_cast<int>(fault) - 1;
}
constexpr Fault fault_of_code(int code) {
  return static_cast<Fault>(code - first_code + 1);
}

// The size of a structure in the first version of the interface. Members of later versions stand behind it.
template <class Struct>
constexpr std::size_t first_size = 0;
template <>
inline constexpr std::size_t first_size<RONDO_Report> = offsetof(RONDO_Report, init_seconds) + sizeof(double);
template <>
inline constexpr std::size_t first_size<RONDO_Error_values> = offsetof(RONDO_Error_values, other) + sizeof(long long);

// The MPI error class that says what the error is. Local.
int class_of(const Error &error);

// Copies a structure of the interface to the caller's, which has `size` bytes. A caller built for an earlier version
// has fewer members and gets only these; one built for a later version has more, whose bytes become `unknown`. Throws
// Error (argument) where `size` is smaller than in the first version.
template <class Struct>
void copy_known(const Struct &from, Struct *to, std::size_t size, unsigned char unknown) {
  if (size < first_size<Struct>) {
    throw Error(Fault::argument, "the size of the structure is smaller than that of its first version")
        .with_values(static_cast<std::int64_t>(size), static_cast<std::int64_t>(first_size<Struct>));
  }
  std::memset(static_cast<void *>(to), unknown, size);
  std::memcpy(static_cast<void *>(to), &from, std::min(size, sizeof(Struct)));
}

// Keeps the error as this thread's last and gives its RONDO_ERR_ code.
int remember(const Error &error) noexcept;

// Runs an entry point's work; what it throws becomes the code that the entry point returns.
template <class Work>
int guarded(Work &&work) noexcept {
  try {
    const TypesFreedAtEnd types_freed_at_end;
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

}  // namespace rondo::internal
