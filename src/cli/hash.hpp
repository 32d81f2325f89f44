#pragma once

// Random numbers without state: a pure function of its arguments, so that every rank can compute what any other
// rank draws.

#include <cstdint>

namespace rondo::internal::cli {

// A bijection of 64-bit words whose output bits each depend on every input bit (the finalizer of SplitMix64,
// Steele et al. 2014).
constexpr std::uint64_t mix(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
  return word ^ (word >> 31);
}

// A draw that depends on both; chained for more than two.
constexpr std::uint64_t hash(std::uint64_t key, std::uint64_t counter) {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;  // 2^64 over the golden ratio: spreads small counters
  return mix(key + (counter + 1) * golden);
}

// The draw as a number in [0, 1), increasing with it.
constexpr double fraction(std::uint64_t draw) {
  return static_cast<double>(draw >> 11) * 0x1.0p-53;
}

}  // namespace rondo::internal::cli
