#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace rondo::internal {

// What the ranks tell each other in the heads of messages, for the choice of later starts: of each number all learn the
// largest, since what a rank knows goes with each block that it has for another, empty ones included.
struct VaryingFigures {
  std::uint32_t bytes = 0;  // that a rank sends in this start, in units of 64
  std::uint32_t time = 0;   // that the start before has taken on a rank, in units of 64 ns

  static std::uint32_t in_units(std::int64_t value) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(value / 64, 0, std::numeric_limits<std::uint32_t>::max()));
  }
  [[nodiscard]] std::int64_t word() const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(bytes) << 32 | time);
  }
  void include(std::int64_t word) {
    const auto bits = static_cast<std::uint64_t>(word);
    bytes = std::max(bytes, static_cast<std::uint32_t>(bits >> 32));
    time = std::max(time, static_cast<std::uint32_t>(bits));
  }
  friend bool operator==(const VaryingFigures &, const VaryingFigures &) = default;
};

}  // namespace rondo::internal
