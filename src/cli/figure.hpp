#pragma once

#include <fmt/format.h>

#include <string>

namespace rondo::internal::cli {

// Four significant digits at most, and never in exponents: people compare columns.
inline std::string figure(double value) {
  return value < 10     ? fmt::format("{:.3f}", value)
         : value < 1000 ? fmt::format("{:.1f}", value)
                        : fmt::format("{:.0f}", value);
}

}  // namespace rondo::internal::cli
