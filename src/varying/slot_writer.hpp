#pragma once

// The end of a direction that gives messages (varying/slot_end.hpp).

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "varying/outgoing.hpp"
#include "varying/slot_end.hpp"
#include "varying/slot_reader.hpp"
#include "wire/make_pages.hpp"

namespace rondo::internal {

// Places in the ring are counted on and on, over all rounds. What messages have that are not taken yet lies between the
// place of the oldest and `next_`.
class SlotWriter : public SlotEnd {
 public:
  SlotWriter(const SlotMemory &memory, const SlotPlaces &places, Trays &trays, const std::uint64_t *mark = nullptr)
      : SlotEnd(memory, places, trays, mark), made_(memory.has_pages ? places.ring_bytes : 0) {}

  // Writes what there is room for of a message of so many bytes, by write(to, bytes), which copies the next bytes of
  // it; true once it has all been written. `back` is the reader of the other direction.
  template <class Write>
  bool write(std::int64_t bytes, const SlotReader &back, Write &&write) {
    if (begun_ || goes_in_cuts(bytes)) return write_cuts(bytes, back, write);
    return write_at_once(bytes, false, back, write);
  }
  // Writes a message of one block, without a head, if it is in no cuts and there is room for it; says whether it did.
  bool write_whole(const BlockData &block, const SlotReader &back) {
    if (goes_in_cuts(block.bytes)) return false;
    return write_at_once(block.bytes, false, back, [&](std::byte *to, std::int64_t bytes) {
      if (bytes > 0) copy_bytes(to, block.data, static_cast<std::size_t>(bytes));
    });
  }
  using SlotEnd::moved;

  // Whether a message of so many bytes, which fits, can be written now.
  [[nodiscard]] bool is_free(std::int64_t bytes, const SlotReader &back) { return !begun_ && find_room(bytes, back); }
  // Whether so many bytes are in no cuts.
  [[nodiscard]] bool fits(std::int64_t bytes) const { return bytes <= cut_bytes(); }
  // As write(), of a message that says where its data lies. It fits, and can be written now.
  template <class Write>
  void write_places(std::int64_t bytes, const SlotReader &back, Write &&write) {
    write_at_once(bytes, true, back, write);
  }
  // Whether the reader has taken all messages.
  [[nodiscard]] bool all_taken() const { return reader().messages.load(std::memory_order_acquire) + 1 == number_; }
  // How much of what slots have told the place of has been read.
  [[nodiscard]] std::uint64_t read_by_other() const { return reader().read.load(std::memory_order_relaxed); }
  // The memory of this process that slots have told of may change from now on.
  void withdraw() const {
    writer().withdrawn.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  }

 private:
  [[nodiscard]] bool all_known_taken() const { return taken_ + 1 == number_; }
  // The place of the oldest message of those that are known not to be taken, of which there are some.
  [[nodiscard]] std::int64_t oldest() const { return places_of_[(taken_ + 1) % most_slots]; }

  // Says whether found() is true by what is known of what the reader has taken. The other tells it with its messages;
  // only if that does not do, its own line is looked at, and found() called again.
  template <class Found>
  bool look_for(const SlotReader &back, Found &&found) {
    taken_ = std::max(taken_, back.other_has_taken());
    if (found()) return true;
    taken_ = reader().messages.load(std::memory_order_acquire);
    return found();
  }
  [[nodiscard]] bool slot_is_free() const { return number_ <= taken_ + slots(); }

  [[nodiscard]] bool goes_in_cuts(std::int64_t bytes) const {
    return !is_short(bytes) && bytes > cut_bytes() && !trays().have(bytes);
  }

  // Finds a free slot, and a place in the ring if the message, which is in no cuts, needs one.
  bool find_room(std::int64_t bytes, const SlotReader &back) {
    bool looked = false;
    return look_for(back, [&] {
      const bool may_need_pages = std::exchange(looked, true);
      if (!slot_is_free()) return false;
      return is_short(bytes) || trays().have(bytes) || (find_place(bytes) && (may_need_pages || has_pages(bytes)));
    });
  }
  [[nodiscard]] bool has_pages(std::int64_t bytes) const {
    const std::int64_t in_round = place_ - round_;
    return (in_round < ring_bytes() ? in_round : in_round - ring_bytes()) + bytes <= made_;
  }
  // The beginning of the ring, if that is free: what has been used last is in the caches.
  bool find_place(std::int64_t bytes) {
    place_ = next_ == round_ || all_known_taken() ? round_ : round_ + ring_bytes();
    if (all_known_taken() || place_ + bytes <= oldest() + ring_bytes()) return true;
    place_ = next_;
    return place_ + bytes <= std::min(oldest(), round_) + ring_bytes();
  }

  // Of a message that is in no cuts.
  template <class Write>
  bool write_at_once(std::int64_t bytes, bool tells_places, const SlotReader &back, Write &&write) {
    if (!find_room(bytes, back)) return false;
    std::int64_t used = 0;  // of the ring
    if (is_short(bytes)) {
      place_ = next_;
      write(in_slot(), bytes);
    } else if (trays().have(bytes)) {
      place_ = next_;
      const std::int64_t tray = trays().give(bytes);
      long_message() = {bytes, tray};
      write(trays().given(tray), bytes);
    } else {
      used = (bytes + cache_line - 1) / cache_line * cache_line;
      const std::int64_t place = tell_place(bytes);
      need_pages(place + bytes);
      write(in_ring(place), bytes);
    }
    show(bytes, tells_places, back);
    end_message(used);
    // If the next message is likely to be one line, as this one was. The first line of a longer one is written again
    // after the others, and the reader, who looks at it all the time, would take it away meanwhile.
    if (bytes <= first_line()) fetch_for_writing(slot());
    return true;
  }
  // Of the ring, from its beginning.
  void need_pages(std::int64_t bytes) {
    if (bytes <= made_) return;
    made_ = make_pages(in_ring(made_), bytes - made_) - in_ring(0);
  }
  std::int64_t tell_place(std::int64_t bytes) {
    if (place_ == round_ + ring_bytes()) round_ = place_;
    long_message() = {bytes, place_ - round_};
    return place_ - round_;
  }
  // What is further back than a round has been taken, though not all of the message may have been.
  void end_message(std::int64_t used) {
    next_ = place_ + used;
    if (const std::int64_t before = next_ - round_ - 1; before >= ring_bytes()) [[unlikely]]
      round_ += before / ring_bytes() * ring_bytes();
    places_of_[number_ % most_slots] = std::max(place_, next_ - ring_bytes());
    SlotEnd::end_message();
  }
  void show(std::int64_t bytes, bool tells_places, const SlotReader &back) {
    if (mark_ != nullptr) mark_in_slot() = *mark_;
    const SlotWord shown(number_, tells_places, is_short(bytes) ? bytes : SlotWord::not_short, back.taken());
    word().store(shown.word(), std::memory_order_release);
  }

  template <class Write>
  bool write_cuts(std::int64_t bytes, const SlotReader &back, Write &&write) {
    if (!begun_) {
      if (!look_for(back, [&] { return slot_is_free(); })) return false;
      place_ = all_known_taken() ? round_ : round_ + cuts_of(next_ - round_) * cut_bytes();
      tell_place(bytes);
      begun_ = true;
    }
    while (done_ < bytes) {
      const std::int64_t k = done_ / cut_bytes();
      if (!look_for(back, [&] { return cut_is_free(k); })) return false;
      const std::int64_t run = std::min(cut_bytes(), bytes - done_);
      std::byte *const here = cut(long_message().place, k);
      need_pages(here - in_ring(0) + run);
      write(here, run);
      done_ += run;
      writer().cuts.store(cuts_ + static_cast<std::uint64_t>(k) + 1, std::memory_order_release);
      if (k == 0) show(bytes, false, back);
    }
    const std::int64_t count = cuts_of(bytes);
    cuts_ += static_cast<std::uint64_t>(count);
    begun_ = false;
    end_message(count * cut_bytes());
    return true;
  }
  // Whether the k-th cut of the message that is being written has its place to itself.
  [[nodiscard]] bool cut_is_free(std::int64_t k) const {
    const std::int64_t end = place_ + (k + 1) * cut_bytes() - ring_bytes();
    if (!all_known_taken()) return end <= oldest();
    if (end <= place_) return true;
    const std::uint64_t taken = reader().cuts.load(std::memory_order_acquire) - cuts_;
    return end <= place_ + static_cast<std::int64_t>(taken) * cut_bytes();
  }

  static constexpr std::uint64_t most_slots = SlotPlaces::most_slots;

  std::int64_t made_ = 0;                             // bytes of the ring whose pages are there
  std::uint64_t taken_ = 0;                           // by the reader, as far as it is known
  std::int64_t round_ = 0;                            // the first place of this round
  std::int64_t next_ = 0;                             // the first that no message has had
  std::int64_t place_ = 0;                            // of the message that is being written
  std::array<std::int64_t, most_slots> places_of_{};  // of messages, by number
  bool begun_ = false;                                // a message in cuts
};

}  // namespace rondo::internal
