#pragma once

#include <compare>
#include <cstdint>

namespace rondo::internal {

// The unit that a route moves: one part of what one rank has for others. What the number of a part means, the kind of
// the exchange says (exchange/kind.hpp): in an all-to-all, part d is for rank d, and P ranks exchange P x P blocks; in
// an all-gather, the parts are segments, each for all that receive from the source.
struct Block {
  std::int32_t source = 0;
  std::int32_t part = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): it takes the comparison with zero that the compiler writes for a pointer's
  friend auto operator<=>(const Block &, const Block &) = default;
};

}  // namespace rondo::internal
