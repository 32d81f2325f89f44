#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "plans/algorithm.hpp"
#include "varying/outgoing.hpp"

namespace rondo::internal {

// How the lengths of blocks travel.
enum class Metadata : std::uint8_t {
  joined,     // at the head of the data
  separate,   // in a message of their own before it, as in the papers (Fan 2022, section 3.2; TuNA, section III-B)
  size_first  // at the head of the data, and before it a message that says how long that one is, as in SLOAV (Fan 2022,
              // section 6.1)
};

// What the messages of an exchange are like.
struct MessageForm {
  Metadata metadata = Metadata::joined;
  bool tells_figures = false;  // figures for the choice of later starts go before the lengths
  bool pads = false;           // all blocks are padded to the largest of all ranks

  // How many words go before the lengths. Where blocks are padded, the length of the largest is the second.
  [[nodiscard]] std::size_t words_before() const {
    if (pads) return 2;
    return tells_figures ? 1 : 0;
  }
};

// The form that an algorithm has. `separate`: that of the papers. Blocks of one length, as padding makes them, need no
// lengths apart in either.
inline MessageForm form_of(const Algorithm &algorithm, bool separate, bool tells_figures) {
  if (pads(algorithm.layout)) return {Metadata::joined, tells_figures, true};
  if (!separate) return {Metadata::joined, tells_figures, false};
  return {algorithm.layout == Layout::gathered ? Metadata::size_first : Metadata::separate, false, false};
}

// A length in a message of its own has 4 bytes, as in the papers.
using ShortLength = std::uint32_t;

// Writes the first of the two messages that take the place of one: the lengths, or the size of the second.
inline void write_first(Metadata metadata, const Outgoing &message, std::vector<std::byte> &to) {
  const auto add = [&](const auto &value) {
    const auto *const bytes = reinterpret_cast<const std::byte *>(&value);
    to.insert(to.end(), bytes, bytes + sizeof(value));
  };
  if (metadata == Metadata::size_first) return add(message.all_bytes());
  for (const BlockData &block : message.blocks()) add(static_cast<ShortLength>(block.bytes));
}

// Lengths as they have come, and as all else has them.
inline void lengthen(const std::byte *from, std::span<std::int64_t> lengths) {
  for (std::int64_t &length : lengths) {
    ShortLength told = 0;
    std::memcpy(&told, from, sizeof(told));
    length = told;
    from += sizeof(told);
  }
}

}  // namespace rondo::internal
