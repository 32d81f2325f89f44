#pragma once

#include <cstdint>

namespace rondo::internal {

// How the lengths of blocks travel.
enum class Metadata : std::uint8_t {
  joined,   // at the head of the data
  separate  // in a message of their own before it, as in the papers (Fan 2022, section 3.2; TuNA, section III-B)
};

// A length in a message of its own has 4 bytes, as in the papers.
using ShortLength = std::uint32_t;

}  // namespace rondo::internal
