#pragma once

#include <cstdint>

namespace rondo::internal {

// Whether there is nothing at an address that belongs to a buffer. No object lies in the first page: an address there
// comes of a null buffer. (MPI_BOTTOM is null as well, but what it is used with has absolute addresses.)
inline bool is_of_null_buffer(const void *buffer, std::uintptr_t address) {
  constexpr std::uintptr_t first_page = 4096;
  return buffer == nullptr && address < first_page;
}

}  // namespace rondo::internal
