#pragma once

// How the memory is divided that carries the messages of one direction between two processes (varying/slot_end.hpp).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "wire/copy.hpp"

namespace rondo::internal {

// The memory of one direction.
struct SlotMemory {
  std::byte *slots;  // of SlotPlaces::slots_bytes(), with counts
  std::byte *data;   // of SlotPlaces::data_bytes(): a tray, and after it the ring
  bool has_pages;    // whether its pages are there; else the writer makes those that it needs
};

// How the memory of one direction is divided.
struct SlotPlaces {
  static constexpr std::int64_t slot_bytes = 5 * cache_line;
  static constexpr std::int64_t most_slots = 64;
  static constexpr std::int64_t most_parts = 8;  // that fill the ring
  static constexpr std::int64_t least_slots = 2;
  static constexpr std::int64_t least_bytes = 2048;
  static constexpr std::int64_t least_with_tray = 4096;  // the ring would be too short for many messages

  // Such that all takes at most so many bytes, where these are at least least_bytes and cache lines have 64, and no
  // more slots than `most`, which is a power of two.
  static constexpr SlotPlaces within(std::int64_t bytes, std::int64_t most = most_slots) {
    const auto wanted = static_cast<std::uint64_t>(
        std::max(bytes / 8 / slot_bytes, bytes < least_with_tray ? least_slots : 2 * least_slots));
    const std::int64_t slots = std::min(static_cast<std::int64_t>(std::bit_floor(wanted)), most);
    const std::int64_t rest = bytes - counts_bytes - slots * slot_bytes;
    constexpr std::int64_t least = most_parts * cache_line;
    const bool has_tray = bytes >= least_with_tray && rest >= 2 * least;
    const std::int64_t ring = std::max<std::int64_t>(rest / (has_tray ? 2 * least : least), 1) * least;
    return {slots, ring, has_tray ? ring : 0};
  }

  [[nodiscard]] static constexpr std::int64_t slot(std::int64_t index) { return counts_bytes + index * slot_bytes; }
  [[nodiscard]] constexpr std::int64_t slots_bytes() const { return slot(slots); }
  [[nodiscard]] constexpr std::int64_t data_bytes() const { return tray_bytes + ring_bytes; }
  [[nodiscard]] constexpr std::int64_t bytes() const { return slots_bytes() + data_bytes(); }
  // In so many bytes that are all there.
  [[nodiscard]] constexpr SlotMemory in(std::byte *memory) const { return {memory, memory + slots_bytes(), true}; }
  // The most that lies in the ring in one piece. Each piece has a slot, and a full ring leaves as many slots to others.
  [[nodiscard]] constexpr std::int64_t part_bytes() const { return ring_bytes / std::min(most_parts, slots / 2); }

  static constexpr std::int64_t counts_bytes = 2 * cache_line;

  std::int64_t slots;       // a power of two
  std::int64_t ring_bytes;  // a number of parts, which are of whole cache lines
  std::int64_t tray_bytes;  // 0: there are no trays
};

}  // namespace rondo::internal
