#pragma once

// A schedule bound to addresses and MPI requests: what the executor runs, and nothing that it would have to
// work out at a start.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/copy.hpp"

namespace rondo {

struct BoundCopy {
  const std::byte *from;
  std::byte *to;
  std::size_t bytes;
};

inline void run(std::span<const BoundCopy> copies) {
  for (const BoundCopy &copy : copies) copy_bytes(copy.to, copy.from, copy.bytes);
}

// A run of indices.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// `before` is copied, then the requests are started, then `meanwhile` is copied; when all requests are complete,
// `after` is copied.
struct BoundStep {
  Range before;
  Range requests;
  Range meanwhile;
  Range after;
};

struct BoundSchedule {
  std::vector<BoundStep> steps;
  std::vector<BoundCopy> copies;
  std::vector<MPI_Request> requests;  // persistent
  std::vector<MPI_Datatype> types;    // made for messages whose bytes an int does not count
  int steps_with_messages = 0;

  BoundSchedule() = default;
  BoundSchedule(BoundSchedule &&) noexcept = default;
  BoundSchedule &operator=(BoundSchedule &&) noexcept = default;
  ~BoundSchedule();

  [[nodiscard]] std::span<const BoundCopy> copies_of(Range range) const {
    return std::span(copies).subspan(range.first, range.count);
  }
};

}  // namespace rondo
