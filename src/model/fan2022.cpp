#include "model/fan2022.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace rondo::internal {

namespace {

double steps(int ranks) {
  return std::log2(ranks);
}

// That a rank sends over all steps.
double blocks(int ranks) {
  return steps(ranks) * (ranks + 1) / 2;
}

// The largest block with which an algorithm is the fastest on so many ranks.
struct Reach {
  int ranks;
  double largest_block;
};

// Section 4.1: up to 128 bytes with 128 and 256 processes; of 16 bytes with more.
constexpr std::array<Reach, 3> padded{{{128, 128}, {256, 128}, {512, 16}}};
// Section 4.1: up to 1,024 bytes for 256 to 4,096 processes, then 512, 256 and 128.
constexpr std::array<Reach, 5> two_phase{{{256, 1024}, {4096, 1024}, {8192, 512}, {16384, 256}, {32768, 128}}};

// On a line between the two that are named, where both axes are logarithmic.
double reach(std::span<const Reach> named, int ranks) {
  if (ranks <= named.front().ranks) return named.front().largest_block;
  for (std::size_t i = 1; i < named.size(); ++i) {
    const Reach &before = named[i - 1];
    const Reach &after = named[i];
    if (ranks > after.ranks) continue;
    const double part = std::log2(static_cast<double>(ranks) / before.ranks) /
                        std::log2(static_cast<double>(after.ranks) / before.ranks);
    return before.largest_block * std::pow(after.largest_block / before.largest_block, part);
  }
  return named.back().largest_block;
}

}  // namespace

double fan2022_padded_bruck(int ranks, std::int64_t largest_block, const Fan2022Prices &prices) {
  return prices.latency * steps(ranks) + prices.byte * blocks(ranks) * static_cast<double>(largest_block);
}

double fan2022_two_phase_bruck(int ranks, std::int64_t largest_block, const Fan2022Prices &prices) {
  constexpr double length = 4;  // bytes
  const double mean = static_cast<double>(largest_block) / 2;
  return 2 * prices.latency * steps(ranks) + prices.byte * blocks(ranks) * (length + mean);
}

double fan2022_most_padded(int ranks, const Fan2022Prices &prices) {
  return 8 + 4 * prices.latency / ((ranks + 1) * prices.byte);
}

double fan2022_most_padded_measured(int ranks) {
  return reach(padded, ranks);
}

double fan2022_most_two_phase_measured(int ranks) {
  return reach(two_phase, ranks);
}

std::string_view fan2022_measured(int ranks, std::int64_t largest_block) {
  const auto bytes = static_cast<double>(largest_block);
  if (bytes <= fan2022_most_padded_measured(ranks)) return "padded_bruck";
  return bytes <= fan2022_most_two_phase_measured(ranks) ? "two_phase_bruck" : "native";
}

}  // namespace rondo::internal
