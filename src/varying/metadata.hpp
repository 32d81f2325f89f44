#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace rondo::internal {

// How the lengths of blocks travel.
enum class Metadata : std::uint8_t {
  joined,   // at the head of the data
  separate  // in a message of their own before it, as in the papers (Fan 2022, section 3.2; TuNA, section III-B)
};

// A length in a message of its own has 4 bytes, as in the papers.
using ShortLength = std::uint32_t;

// Lengths as they have come, and as all else has them.
inline void lengthen(const std::byte *from, std::span<std::int64_t> lengths) {
  for (std::int64_t &length : lengths) {
    ShortLength told = 0;
    std::memcpy(&told, from, sizeof(told));
    length = told;
    from += sizeof(told);
  }
}

}  // namespace rondo::internal
