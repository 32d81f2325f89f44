#pragma once

#include <mpi.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "exchange/error.hpp"

namespace rondo::internal {

// Whether long data passes through rings in less time than it is read from another process. Its two copies go through
// caches; the one copy by the kernel does not, and locks each page (docs/performance.md). But where ranks take turns on
// a core, and the MPI library's own waits do not give way to others, each part may cost a slice of the scheduler's.
constexpr bool rings_are_faster(std::int64_t turns) {
#if defined(OPEN_MPI)
  return turns > 0;
#else
  return turns == 1;
#endif
}

// Cross-memory attach: reads another process's memory in one copy, where the kernel allows it. The pieces of both
// sides have the same total. Throws Error (internal) with the system's message and number when it fails.
void read_process(pid_t process, std::span<const iovec> to, std::span<const iovec> from);

// What a rank is told that waits for data of another, whose memory it could not read: the other has ended, or freed
// what it was sending. `reason` is what read_process() has thrown.
Error unreadable(int rank, const Error &reason);

// Whether attaching works between this process and another: reads 8 bytes there and compares.
bool can_read_process(pid_t process, const void *address, std::uint64_t expected) noexcept;

// Whether processes that may read this one's memory can read these bytes of it: the kernel reads none of a device's
// memory, nor what this process may not read itself.
bool others_can_read(std::span<const std::byte *const> bytes);

}  // namespace rondo::internal
