// The words that passed lately, to be left out when they come again: what joins derive they mostly derive several times
// in short succession. Forgets what it has no room for, and fits into a cache.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_RECENT_HPP
#define RELATIONS_RECENT_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#include "relations/hash.hpp"

namespace relations {

class Recent {
 public:
  // Whether the word is not among those that are remembered, as it is from now on. Any word but ~0.
  bool first_time(std::uint64_t word) {
    std::uint64_t &place = words_[hash(word) % kPlaces];
    if (place == word) return false;
    place = word;
    return true;
  }

 private:
  static constexpr std::size_t kPlaces = std::size_t{1} << 16;
  std::vector<std::uint64_t> words_ = std::vector<std::uint64_t>(kPlaces, ~std::uint64_t{0});
};

}  // namespace relations

#endif
