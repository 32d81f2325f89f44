// SPDX-License-Identifier: BSD-3-Clause
#include "field.hpp"

#include <cstdint>

namespace fft {
namespace {

// The finalizer of splitmix64.
std::uint64_t scatter(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

double number(std::uint64_t place) {
  return static_cast<double>(scatter((place + 1) * 0x9e3779b97f4a7c15U) >> 11) * 0x1p-53 - 0.5;
}

}  // namespace

void fill(std::span<Element> planes, const Grid &grid, int first) {
  std::uint64_t place =
      2 * static_cast<std::uint64_t>(first) * static_cast<std::uint64_t>(grid.y) * static_cast<std::uint64_t>(grid.z);
  for (Element &element : planes) {
    element = {number(place), number(place + 1)};
    place += 2;
  }
}

}  // namespace fft
