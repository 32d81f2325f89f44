#pragma once

// The end of a direction that gives messages (varying/slot_end.hpp).

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "varying/outgoing.hpp"
#include "varying/slot_end.hpp"
#include "varying/slot_reader.hpp"
#include "varying/tray_wait.hpp"
#include "wire/make_pages.hpp"
#include "wire/page.hpp"

namespace rondo::internal {

// Places in the ring are counted on and on, over all rounds. What has not been taken yet lies between the place of the
// oldest slot and `next_`.
class SlotWriter : public SlotEnd {
 public:
  // Parts of messages go by trays, and may wait for one so long, or go by the ring where that is 0
  // (varying/tray_wait.hpp).
  SlotWriter(const SlotMemory &memory, const SlotPlaces &places, Trays &trays, const std::uint64_t *mark = nullptr,
             std::chrono::microseconds longest_wait = std::chrono::microseconds::zero())
      : SlotEnd(memory, places, trays, mark),
        made_(memory.has_pages ? places.ring_bytes : 0),
        parts_by_trays_(longest_wait.count() > 0 && places.tray_bytes > 0),
        tray_wait_(longest_wait) {}

  // Writes what there is room for of a message of so many bytes, by write(to, bytes), which copies the next bytes of
  // it; true once it has all been written. `back` is the reader of the other direction.
  template <class Write>
  bool write(std::int64_t bytes, const SlotReader &back, Write &&write) {
    const Way way = way_of(bytes);
    if (begun_ || way == Way::parts) return write_parts(bytes, back, write);
    return write_at_once(bytes, way, false, back, write);
  }
  // Writes a message of one block, without a head, if it is not in parts and there is room for it; says whether it did.
  bool write_whole(const BlockData &block, const SlotReader &back) {
    const Way way = way_of(block.bytes);
    if (way == Way::parts) return false;
    if (way == Way::slot && block.bytes > first_line()) return write_lines(block, back);
    return write_at_once(block.bytes, way, false, back, [&](std::byte *to, std::int64_t bytes) {
      if (bytes > 0) copy_bytes(to, block.data, static_cast<std::size_t>(bytes));
    });
  }
  // A message will be written soon. If it is likely to be one line, as the last one was: fetches that, which the reader
  // has taken if it has been waiting for the message. (The first line of a longer block is written after the others,
  // and the reader would take it away once more meanwhile.)
  void fetch_for_next() const {
    if (ended_in_line_) fetch_for_writing(slot());
  }
  using SlotEnd::moved;

  // Whether a message of so many bytes, which fits, can be written now.
  [[nodiscard]] bool is_free(std::int64_t bytes, const SlotReader &back) {
    return !begun_ && find_room(bytes, way_of(bytes), back);
  }
  // Whether a message of so many bytes is never in parts.
  [[nodiscard]] bool fits(std::int64_t bytes) const { return is_short(bytes) || fits_in_ring(bytes); }
  // As write(), of a message that says where its data lies. It fits, and can be written now.
  template <class Write>
  void write_places(std::int64_t bytes, const SlotReader &back, Write &&write) {
    write_at_once(bytes, way_of(bytes), true, back, write);
  }
  // Whether the reader has taken all messages.
  [[nodiscard]] bool all_taken() const { return reader().slots.load(std::memory_order_acquire) + 1 == number_; }
  // Whether the reader cannot map this process's SendMemory, once it has taken the first message that tells of it.
  [[nodiscard]] bool is_refused() const { return reader().refused.load(std::memory_order_relaxed) != 0; }
  // How much of what slots have told the place of has been read.
  [[nodiscard]] std::uint64_t read_by_other() const { return reader().read.load(std::memory_order_relaxed); }
  // The memory of this process that slots have told of may change from now on.
  void withdraw() const {
    writer().withdrawn.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  }

 private:
  // Where the data of a message lies.
  enum class Way : std::uint8_t { slot, tray, ring, parts };
  [[nodiscard]] Way way_of(std::int64_t bytes) const {
    if (trays().have(bytes)) return Way::tray;
    if (is_short(bytes)) return Way::slot;
    return fits_in_ring(bytes) ? Way::ring : Way::parts;
  }
  // Whether so many bytes lie in the ring in one piece.
  [[nodiscard]] bool fits_in_ring(std::int64_t bytes) const { return bytes <= part_bytes(); }

  [[nodiscard]] bool all_known_taken() const { return taken_ + 1 == number_; }
  // The place of the oldest slot of those that are known not to be taken, of which there are some.
  [[nodiscard]] std::int64_t oldest() const { return places_of_[index_of(taken_ + 1)]; }

  // Says whether found() is true by what is known of what the reader has taken. The other tells it with its messages;
  // only if that does not do, its own line is looked at, and found() called again.
  template <class Found>
  bool look_for(const SlotReader &back, Found &&found) {
    taken_ = std::max(taken_, back.other_has_taken());
    if (found()) return true;
    taken_ = reader().slots.load(std::memory_order_acquire);
    return found();
  }
  [[nodiscard]] bool slot_is_free() const { return number_ <= taken_ + slots(); }

  // Finds what a message needs that is not in parts: a free slot, and a place for its data.
  bool find_room(std::int64_t bytes, Way way, const SlotReader &back) {
    return way == Way::ring ? find_in_ring(bytes, back) : find_free_slot(back);
  }
  bool find_free_slot(const SlotReader &back) {
    return look_for(back, [&] { return slot_is_free(); });
  }
  // Finds a free slot, and a place in the ring.
  bool find_in_ring(std::int64_t bytes, const SlotReader &back) {
    bool looked = false;
    return look_for(back, [&] {
      const bool may_need_pages = std::exchange(looked, true);
      return slot_is_free() && find_place(bytes) && (may_need_pages || has_pages(bytes));
    });
  }
  [[nodiscard]] bool has_pages(std::int64_t bytes) const { return place_ - round_of_place() + bytes <= made_; }
  // The first place of the round in which the place lies that has been found: of this round, or of the next one.
  [[nodiscard]] std::int64_t round_of_place() const { return place_ == round_ + ring_bytes() ? place_ : round_; }
  // The beginning of the ring, if that is free: what has been used last is in the caches.
  bool find_place(std::int64_t bytes) {
    place_ = next_ == round_ || all_known_taken() ? round_ : round_ + ring_bytes();
    if (all_known_taken() || place_ + bytes <= oldest() + ring_bytes()) return true;
    place_ = next_;
    return place_ + bytes <= std::min(oldest(), round_) + ring_bytes();
  }

  // Of a message that is not in parts.
  template <class Write>
  bool write_at_once(std::int64_t bytes, Way way, bool tells_places, const SlotReader &back, Write &&write) {
    if (!find_room(bytes, way, back)) return false;
    if (way == Way::slot) {
      write(in_slot(), bytes);
      show(bytes, tells_places, back);
      end_slot(next_);
    } else {
      write_outside(bytes, bytes, way == Way::tray, tells_places, back, write);
    }
    fetch_for_next();
    return true;
  }
  // A block that fits into a slot, in several of its lines. The first is written last, and at once: the reader looks at
  // it all the time, and takes it away from who has written a part of it.
  bool write_lines(const BlockData &block, const SlotReader &back) {
    if (!find_free_slot(back)) return false;
    const std::int64_t first = first_line();
    const std::byte *const end = in_slot() + block.bytes;
    for (std::byte *line = slot(); line < end; line += cache_line) fetch_for_writing(line);
    copy_bytes(slot() + cache_line, block.data + first, static_cast<std::size_t>(block.bytes - first));
    copy_bytes(in_slot(), block.data, static_cast<std::size_t>(first));
    show(block.bytes, false, back);
    end_slot(next_);
    return true;
  }
  // A part of a message, or all of it: by a tray, or at the place that has been found in the ring. The slot is written
  // last, as in write_lines(), and fetched while the data is copied.
  template <class Write>
  [[gnu::always_inline]] void write_outside(std::int64_t bytes, std::int64_t part, bool by_tray, bool tells_places,
                                            const SlotReader &back, Write &&write) {
    fetch_for_writing(slot());
    if (by_tray) {
      const std::int64_t tray = trays().give(part);
      write(trays().given(tray), part);
      long_message() = {bytes, tray, part};
      place_ = next_;
    } else {
      const std::int64_t round = round_of_place();
      need_pages(place_ - round + part);
      round_ = round;
      write(in_ring(place_ - round), part);
      long_message() = {bytes, place_ - round, part};
      next_ = place_ + up_to(cache_line, part);
    }
    show(SlotWord::not_short, tells_places, back);
    end_slot(place_);
  }

  // What can be written of a message that is too long for one piece. If there is no tray, what would have filled one
  // goes by the ring, unless one comes meanwhile: two processes that send each other as much then end with a tray each.
  // If both stayed with one of them, each would have nothing to do while the other is at it.
  template <class Write>
  bool write_parts(std::int64_t bytes, const SlotReader &back, Write &&write) {
    while (done_ < bytes) {
      const std::int64_t in_tray = std::min(bytes - done_, tray_bytes());
      const bool by_tray = parts_by_trays_ && trays().have(in_tray);
      if (parts_by_trays_ && done_ >= in_ring_until_) {
        if (begun_ && tray_wait_.waits(back, by_tray)) return false;
      }
      const std::int64_t part = by_tray ? in_tray : std::min(bytes - done_, part_bytes());
      if (!(by_tray ? find_free_slot(back) : find_in_ring(part, back))) return false;
      write_outside(bytes, part, by_tray, false, back, write);
      if (!begun_) begin_parts(back);
      if (!by_tray && done_ >= in_ring_until_) in_ring_until_ = done_ + in_tray;
      done_ += part;
    }
    tray_wait_.end(number_ - 1);
    begun_ = false;
    done_ = in_ring_until_ = 0;
    return true;
  }
  void begin_parts(const SlotReader &back) {
    begun_ = true;
    if (mark_ != nullptr) mark_of_parts_ = *mark_;
    tray_wait_.begin(back);
  }
  // Of the ring, from its beginning.
  void need_pages(std::int64_t bytes) {
    if (bytes <= made_) return;
    made_ = make_pages(in_ring(made_), bytes - made_) - in_ring(0);
  }
  void end_slot(std::int64_t place) {
    places_of_[index_of(number_)] = place;
    go_to_next_slot();
  }
  void show(std::int64_t bytes, bool tells_places, const SlotReader &back) {
    if (mark_ != nullptr) mark_in_slot() = begun_ ? mark_of_parts_ : *mark_;
    ended_in_line_ = bytes <= first_line();
    const SlotWord shown(number_, tells_places, bytes, back.taken());
    word().store(shown.word(), std::memory_order_release);
  }

  std::int64_t made_ = 0;                                         // bytes of the ring whose pages are there
  std::uint64_t taken_ = 0;                                       // by the reader, as far as it is known
  std::int64_t round_ = 0;                                        // the first place of this round
  std::int64_t next_ = 0;                                         // the first that no message has had
  std::int64_t place_ = 0;                                        // that has been found for what is written next
  std::array<std::int64_t, SlotPlaces::most_slots> places_of_{};  // by index of the slot
  bool ended_in_line_ = false;                                    // the last message was in the first line of its slot
  bool begun_ = false;                                            // a message in parts, which is not at its end
  std::uint64_t mark_of_parts_ = 0;                               // its mark
  std::int64_t in_ring_until_ = 0;                                // so far into it no part waits for a tray
  const bool parts_by_trays_;
  TrayWait tray_wait_;
};

}  // namespace rondo::internal
