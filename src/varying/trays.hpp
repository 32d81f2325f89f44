#pragma once

// Memory that two processes write to by turns (varying/slot_end.hpp).
//
// A tray goes back and forth: who has taken a message out of it has the tray, and puts a message of its own into it.
// Its cache lines are then where they are written next. In a ring each line would have to be fetched from the reader's
// cache before it is written, which costs as much again as the reader's fetching it. Each of the two processes has one
// tray to begin with. Who has none, as more messages have gone than have come, writes to the ring.

#include <array>
#include <cstddef>
#include <cstdint>

#include "varying/slot_places.hpp"
#include "wire/looks.hpp"
#include "wire/make_pages.hpp"

namespace rondo::internal {

// The trays that one of two processes has.
class Trays {
 public:
  // By number: that in the memory of what this process writes, which it has at first, then that in the memory of what
  // it reads.
  Trays(const SlotMemory &out, const SlotMemory &in, const SlotPlaces &places)
      : places_{out.data, in.data}, bytes_(places.tray_bytes) {
    held_[0] = {0, out.has_pages ? bytes_ : 0};
  }
  Trays(const Trays &) = delete;
  Trays &operator=(const Trays &) = delete;

  // Whether there is one for a message of so many bytes.
  [[nodiscard]] bool have(std::int64_t bytes) const { return count_ > 0 && bytes >= least && bytes <= bytes_; }
  // What is shorter lies in one or two lines of a slot, which go from core to core as fast.
  static constexpr std::int64_t least = cache_line + cache_line / 2;
  // The place of a tray whose pages are there as far as the message needs them, in the words of the process that reads
  // it; that has the tray then. Of two it is the one that has come last: its lines are likeliest to be here.
  [[nodiscard]] std::int64_t give(std::int64_t bytes) {
    Tray &tray = held_[count_ - 1];
    if (bytes > tray.made) tray.made = make_pages(places_[tray.number], bytes) - places_[tray.number];
    --count_;
    return ~(tray.made << 1 | (1 - tray.number));
  }
  [[nodiscard]] static bool is_tray(std::int64_t place) { return place < 0; }
  // Of a place that this process has written, and of one that the other has: by a branch (wire/looks.hpp).
  [[nodiscard]] std::byte *given(std::int64_t place) const { return places_[1 - number_of(place)]; }
  [[nodiscard]] std::byte *come(std::int64_t place) const {
    if (number_of(place) != 0) return places_[1];
    keep_branch();
    return places_[0];
  }
  // The message in it has been taken.
  void take(std::int64_t place) { held_[count_++] = {number_of(place), ~place >> 1}; }

 private:
  struct Tray {
    std::size_t number = 0;
    std::int64_t made = 0;  // bytes, from its beginning, whose pages are there
  };
  [[nodiscard]] static std::size_t number_of(std::int64_t place) { return static_cast<std::size_t>(~place & 1); }

  std::array<std::byte *, 2> places_;
  std::int64_t bytes_;  // of each
  std::array<Tray, 2> held_{};
  std::size_t count_ = 1;
};

}  // namespace rondo::internal
