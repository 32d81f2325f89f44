#pragma once

#include <cstdint>
#include <span>

#include "schedule/schedule.hpp"

namespace rondo::internal {

// Which messages of MPI go as two. MPI libraries send what is long only when the receiver has answered that it expects
// it; two halves that are not long go at once. Of more parts the copies cost more than the answer
// (docs/performance.md, "Between nodes").
struct Halving {
  std::span<const int> node_of{};  // by rank; empty: none is halved
  std::int64_t longest = 0;        // bytes of a message that goes at once

  // Of a message between two ranks: by what both of them know, as each halves its end.
  [[nodiscard]] bool halves(int one, int other, std::int64_t bytes) const {
    return bytes > longest && bytes <= 2 * longest && node_of[one] != node_of[other];
  }
};

// Makes two messages, one after the other in the same step, of each such message. Bytes of a slice may then go by both.
// For a schedule whose messages have no place in staging yet, and none of whose spaces holds typed elements.
void halve_long_messages(Schedule &schedule, const Halving &halving);

}  // namespace rondo::internal
