// Hashes of words, and the rank that a hash gives a tuple to.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_HASH_HPP
#define RELATIONS_HASH_HPP

#include <cstdint>

namespace relations {

// Every bit of the word moves the bits of the result (the finalizer of Appleby's MurmurHash3).
[[nodiscard]] constexpr std::uint64_t hash(std::uint64_t word) {
  word ^= word >> 33;
  word *= 0xff51afd7ed558ccd;
  word ^= word >> 33;
  word *= 0xc4ceb9fe1a85ec53;
  return word ^ word >> 33;
}

// The rank that holds the tuples whose column is this one.
[[nodiscard]] constexpr int owner(std::uint64_t column, int ranks) {
  return static_cast<int>((hash(column) >> 32) * static_cast<std::uint64_t>(ranks) >> 32);
}

}  // namespace relations

#endif
