// SPDX-License-Identifier: BSD-3-Clause
#include "shared/readable.hpp"

#include <array>
#include <cstdio>

namespace example {

Unit unit_for(double seconds) {
  if (seconds >= 1) return {1, "s"};
  if (seconds >= 1e-3) return {1e-3, "ms"};
  return {1e-6, "us"};
}

std::string readable(double seconds) {
  const Unit unit = unit_for(seconds);
  const double value = seconds / unit.seconds;
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f %s", decimals, value, unit.name);
  return text.data();
}

}  // namespace example
