// A tuple of two columns, as one word.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_PAIR_HPP
#define RELATIONS_PAIR_HPP

#include <cstdint>

namespace relations {

using Pair = std::uint64_t;

[[nodiscard]] constexpr Pair pair(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}
[[nodiscard]] constexpr std::uint32_t first(Pair pair) {
  return static_cast<std::uint32_t>(pair >> 32);
}
[[nodiscard]] constexpr std::uint32_t second(Pair pair) {
  return static_cast<std::uint32_t>(pair);
}

}  // namespace relations

#endif
