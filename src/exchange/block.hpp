#pragma once

#include <compare>
#include <cstdint>

namespace rondo {

// The unit that a route moves: what one rank has for another. P ranks exchange P x P blocks.
struct Block {
  std::int32_t source = 0;
  std::int32_t destination = 0;

  friend auto operator<=>(const Block &, const Block &) = default;
};

}  // namespace rondo
