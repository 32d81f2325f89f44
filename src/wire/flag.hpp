#pragma once

#include <atomic>
#include <cstdint>

namespace rondo::internal {

// A number in shared memory that only grows: the number of the start for which something is there. So nothing is ever
// reset between starts.
using Flag = std::atomic<std::uint64_t>;

// Whether it has been raised for this start, or a later one.
inline bool up(const Flag *flag, std::uint64_t start) {
  return flag->load(std::memory_order_acquire) >= start;
}

}  // namespace rondo::internal
