#pragma once

#include <cstdint>

namespace rondo::internal {

constexpr std::int64_t page = 4096;  // bytes

// The least multiple of the unit that is not below.
constexpr std::int64_t up_to(std::int64_t unit, std::int64_t bytes) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace rondo::internal
