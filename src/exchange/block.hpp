#pragma once

#include <compare>
#include <cstdint>

namespace rondo::internal {

// The unit that a route moves: one part of what one rank has for others. In an all-to-all, part d of a rank's data is
// what it has for rank d: P ranks exchange P x P blocks. In an all-gather every part of a rank's data is for all that
// receive from it, and the parts are the segments that its data is cut into (exchange/cut.hpp).
struct Block {
  std::int32_t source = 0;
  std::int32_t part = 0;

  friend auto operator<=>(const Block &, const Block &) = default;
};

}  // namespace rondo::internal
