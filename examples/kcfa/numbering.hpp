// Numbers for things, in the order in which they first come.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef KCFA_NUMBERING_HPP
#define KCFA_NUMBERING_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kcfa {

// Of anything that has a hash() and ==. Below 2^30 of them.
template <class Thing>
class Numbering {
 public:
  std::uint32_t number_of(const Thing &thing) {
    if (4 * things_.size() >= 3 * slots_.size()) grow();
    std::uint32_t &slot = place_of(thing);
    if (slot == kNone) {
      slot = static_cast<std::uint32_t>(things_.size());
      things_.push_back(thing);
    }
    return slot;
  }

  [[nodiscard]] const Thing &operator[](std::uint32_t number) const { return things_[number]; }
  [[nodiscard]] std::size_t size() const { return things_.size(); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Where the number is, or is to be.
  std::uint32_t &place_of(const Thing &thing) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t index = hash(thing) & mask;
    while (slots_[index] != kNone && !(things_[slots_[index]] == thing)) index = (index + 1) & mask;
    return slots_[index];
  }
  void grow() {
    slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), kNone);
    for (std::size_t i = 0; i < things_.size(); ++i) place_of(things_[i]) = static_cast<std::uint32_t>(i);
  }

  std::vector<Thing> things_;
  std::vector<std::uint32_t> slots_;  // open-addressed; a power of two of them
};

}  // namespace kcfa

#endif
