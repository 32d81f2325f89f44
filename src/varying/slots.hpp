#pragma once

// Messages of any length from one process to another, in order, through memory that they share, divided as
// varying/slot_places.hpp says.
//
// There are a few slots, used in turn, a tray and a ring for data. A slot says which message is there and how long it
// is: the writer fills it in and then stores the number of the message in it, which the reader looks at. What is short
// lies in the slot itself; other data lies in a tray or in the ring, in one piece, and the slot says where. What fits
// in no tray and is longer than a cut of the ring passes through that in cuts, which are counted. Messages are numbered
// from 1; slot and place of a message are free again once it has been taken. The reader counts what it has taken in a
// line of its own, and tells the count with its next message the other way, too: where messages go both ways nobody
// looks at that line.
//
// Where the reader can read the writer's memory (wire/attach.hpp), a slot may instead say where the data of a message
// lies. The reader then copies it from there, and its memory must stay as it is until the message has been taken.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "varying/outgoing.hpp"
#include "varying/slot_places.hpp"
#include "varying/trays.hpp"
#include "wire/copy.hpp"
#include "wire/make_pages.hpp"

namespace rondo::internal {

// What a slot tells of its message, all at once. From the highest bit on: 16 bits of the message's number, whether it
// says where its data lies, 15 bits of its length if it is short, and how many messages its writer has taken from its
// reader, as far as 32 bits hold that. What is there before the message has the number of a round of slots earlier, or
// 0.
class SlotWord {
 public:
  SlotWord() = default;
  explicit SlotWord(std::uint64_t word) : word_(word) {}
  SlotWord(std::uint64_t number, bool tells_places, std::int64_t bytes, std::uint64_t taken)
      : word_(number << 48 | static_cast<std::uint64_t>(tells_places ? 1 : 0) << 47 |
              static_cast<std::uint64_t>(bytes) << 32 | static_cast<std::uint32_t>(taken)) {}
  static constexpr std::int64_t not_short = 0x7fff;  // instead of the length

  [[nodiscard]] std::uint64_t word() const { return word_; }
  [[nodiscard]] bool is_of(std::uint64_t number) const { return ((word_ >> 48 ^ number) & 0xffff) == 0; }
  [[nodiscard]] bool tells_places() const { return (word_ >> 47 & 1) != 0; }
  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(word_ >> 32 & 0x7fff); }
  [[nodiscard]] std::uint32_t taken() const { return static_cast<std::uint32_t>(word_); }

 private:
  std::uint64_t word_ = 0;
};

// A count of the other process's, which tells the last 32 bits of it now and then. What is known is never more than the
// count, however far it has got between two tellings.
class ToldCount {
 public:
  void hear(std::uint32_t last_bits) {
    const auto more = static_cast<std::int32_t>(last_bits - static_cast<std::uint32_t>(known_));
    if (more > 0) known_ += static_cast<std::uint64_t>(more);
  }
  [[nodiscard]] std::uint64_t known() const { return known_; }

 private:
  std::uint64_t known_ = 0;
};

// What lies in a slot, where the data of a short message would begin, if the message is longer.
struct LongMessage {
  std::int64_t bytes;
  std::int64_t place;  // in the ring, or what Trays::give() says
};

struct ReaderCounts {
  std::atomic<std::uint64_t> messages;  // taken as a whole
  std::atomic<std::uint64_t> cuts;      // taken, of all messages that passed in cuts
  std::atomic<std::uint64_t> read;      // bytes, of what the writer's slots have told the place of
};

struct WriterCounts {
  std::atomic<std::uint64_t> cuts;  // written
  std::atomic<int> withdrawn;       // 1: the writer has given up an exchange, and its memory may hold anything
};

// One end of one direction.
class SlotEnd {
 public:
  // `trays` are those of this process, which has an end of both directions. Where there is a mark, each message carries
  // the value that it has when the message is begun: what the message belongs to, a number that counts on and on.
  SlotEnd(const SlotMemory &memory, const SlotPlaces &places, Trays &trays, const std::uint64_t *mark = nullptr)
      : mark_(mark),
        data_at_(sizeof(SlotWord) + (mark == nullptr ? 0 : sizeof(std::uint64_t))),
        most_short_(SlotPlaces::slot_bytes - data_at_),
        slots_(memory.slots),
        data_(memory.data),
        places_(places),
        trays_(trays) {
    find_slot();
  }

  // To be called by the reader before the two processes meet, unless all the memory is zero.
  static void clear(std::byte *slots, const SlotPlaces &places) {
    new (slots) ReaderCounts{};
    new (slots + cache_line) WriterCounts{};
    for (std::int64_t index = 0; index < places.slots; ++index) {
      new (slots + SlotPlaces::slot(index)) std::atomic<std::uint64_t>{0};
    }
  }

 protected:
  [[nodiscard]] ReaderCounts &reader() const { return *reinterpret_cast<ReaderCounts *>(slots_); }
  [[nodiscard]] WriterCounts &writer() const { return *reinterpret_cast<WriterCounts *>(slots_ + cache_line); }
  // Of the message that comes next: a SlotWord; the mark, where there is one; what is in the slot.
  [[nodiscard]] std::byte *slot() const { return slot_; }
  [[nodiscard]] std::atomic<std::uint64_t> &word() const {
    return *reinterpret_cast<std::atomic<std::uint64_t> *>(slot_);
  }
  [[nodiscard]] std::uint64_t &mark_in_slot() const {
    return *reinterpret_cast<std::uint64_t *>(slot_ + sizeof(std::uint64_t));
  }
  [[nodiscard]] std::byte *in_slot() const { return slot_ + data_at_; }
  [[nodiscard]] LongMessage &long_message() const { return *reinterpret_cast<LongMessage *>(in_slot()); }
  void end_message() {
    ++number_;
    done_ = 0;
    find_slot();
  }
  [[nodiscard]] std::byte *in_ring(std::int64_t place) const { return data_ + places_.tray_bytes + place; }
  [[nodiscard]] Trays &trays() const { return trays_; }
  [[nodiscard]] bool is_short(std::int64_t bytes) const { return bytes <= most_short_; }
  // What the first line of a slot holds of a message.
  [[nodiscard]] std::int64_t first_line() const { return cache_line - data_at_; }
  [[nodiscard]] std::int64_t cut_bytes() const { return places_.cut_bytes(); }
  [[nodiscard]] std::int64_t ring_bytes() const { return places_.ring_bytes; }
  [[nodiscard]] std::uint64_t slots() const { return static_cast<std::uint64_t>(places_.slots); }
  [[nodiscard]] std::int64_t cuts_of(std::int64_t bytes) const { return (bytes + cut_bytes() - 1) / cut_bytes(); }
  // Where the k-th cut lies of a message that begins there.
  [[nodiscard]] std::byte *cut(std::int64_t place, std::int64_t k) const {
    return in_ring((place + k % SlotPlaces::cuts * cut_bytes()) % ring_bytes());
  }

  // A number that changes with what this end moves.
  [[nodiscard]] std::uint64_t moved() const { return number_ + static_cast<std::uint64_t>(done_); }

  std::uint64_t number_ = 1;  // of the message that comes next
  std::uint64_t cuts_ = 0;    // of earlier messages
  std::int64_t done_ = 0;     // bytes of this message
  const std::uint64_t *mark_;

 private:
  void find_slot() { slot_ = slots_ + SlotPlaces::slot(static_cast<std::int64_t>(number_) & (places_.slots - 1)); }

  std::int64_t data_at_;     // in a slot
  std::int64_t most_short_;  // bytes that a slot holds
  std::byte *slot_ = nullptr;
  std::byte *slots_;
  std::byte *data_;
  SlotPlaces places_;
  Trays &trays_;
};

// What comes of an attempt to take a message as a whole: `another` is there, which has to be taken in other ways.
enum class Whole : std::uint8_t { not_there, taken, another };

class SlotReader : public SlotEnd {
 public:
  using SlotEnd::SlotEnd;

  // Whether a message is there.
  [[nodiscard]] bool arrived() {
    const SlotWord there(word().load(std::memory_order_acquire));
    if (!there.is_of(number_)) return false;
    there_ = there;
    other_has_taken_.hear(there.taken());
    bytes_ = there.bytes();
    if (bytes_ == SlotWord::not_short) bytes_ = long_message().bytes;
    fetch_data();
    return true;
  }
  // Of the message that is there: what is in the slot, the ring or a tray, or passes through the ring.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // Whether it says where its data lies.
  [[nodiscard]] bool tells_places() const { return there_.tells_places(); }
  // Whether it belongs to something else than what this process is at.
  [[nodiscard]] bool has_other_mark() const { return mark_ != nullptr && mark_in_slot() != *mark_; }
  // Whether that is something later.
  [[nodiscard]] bool has_later_mark() const { return mark_ != nullptr && mark_in_slot() > *mark_; }
  // What has not been read of a message that is there as a whole.
  [[nodiscard]] std::span<const std::byte> rest() const {
    return {data() + done_, static_cast<std::size_t>(bytes() - done_)};
  }
  // So many bytes have been read of what the rest tells the place of.
  void count_read(std::int64_t bytes) {
    std::atomic<std::uint64_t> &read = reader().read;
    read.store(read.load(std::memory_order_relaxed) + static_cast<std::uint64_t>(bytes), std::memory_order_relaxed);
  }
  // Whether what has been read of the writer's memory may be anything. To be called after the read: the fence keeps
  // processors from doing the read later.
  [[nodiscard]] bool withdrawn() const {
    std::atomic_thread_fence(std::memory_order_acquire);
    return writer().withdrawn.load(std::memory_order_relaxed) != 0;
  }

  // Reads a message as a whole, if it is there, belongs to what this process is at, has so many bytes, and lies here in
  // one piece.
  Whole read_whole(std::byte *to, std::int64_t bytes) {
    if (!arrived()) return Whole::not_there;
    if (has_other_mark() || !read_at_once(to, bytes)) [[unlikely]]
      return Whole::another;
    end();
    return Whole::taken;
  }
  // Of a message that is there: reads what has these bytes and lies here in one piece, if nothing has been read yet.
  bool read_at_once(std::byte *to, std::int64_t bytes) {
    if (bytes != bytes_ || tells_places() || done_ > 0 || in_cuts()) return false;
    if (bytes > 0) take(to, data(), bytes);
    return true;
  }
  // Copies what has come of its next so many bytes; gives how many these are.
  std::int64_t read(std::byte *to, std::int64_t most) {
    most = std::min(most, bytes() - done_);
    if (most == 0) return 0;
    if (!in_cuts()) {
      take(to, data() + done_, most);
      done_ += most;
      return most;
    }
    std::int64_t read = 0;
    while (read < most) {
      const std::int64_t k = done_ / cut_bytes();
      if (writer().cuts.load(std::memory_order_acquire) <= cuts_ + static_cast<std::uint64_t>(k)) break;
      const std::int64_t in_cut = done_ % cut_bytes();
      const std::int64_t run = std::min(most - read, cut_bytes() - in_cut);
      take(to + read, cut(long_message().place, k) + in_cut, run);
      read += run;
      done_ += run;
      if (done_ % cut_bytes() == 0 || done_ == bytes()) {
        reader().cuts.store(cuts_ + static_cast<std::uint64_t>(k) + 1, std::memory_order_release);
      }
    }
    return read;
  }

  // All of the message has been read.
  void end() {
    if (in_tray()) {
      trays().take(long_message().place);
    } else if (in_cuts()) {
      cuts_ += static_cast<std::uint64_t>(cuts_of(bytes()));
    }
    reader().messages.store(number_, std::memory_order_release);
    end_message();
  }
  [[nodiscard]] std::uint64_t taken() const { return number_ - 1; }
  using SlotEnd::moved;
  // How many messages the other has taken by what it has told with its own.
  [[nodiscard]] std::uint64_t other_has_taken() const { return other_has_taken_.known(); }

 private:
  [[nodiscard]] bool in_tray() const { return !is_short(bytes_) && Trays::is_tray(long_message().place); }
  [[nodiscard]] bool in_cuts() const { return !is_short(bytes_) && bytes_ > cut_bytes() && !in_tray(); }
  // Where the data lies of a message that is not in cuts.
  [[nodiscard]] std::byte *data() const {
    if (is_short(bytes_)) return in_slot();
    return in_tray() ? trays().come(long_message().place) : in_ring(long_message().place);
  }
  // Begins to fetch the first lines of what is there. The copy comes only when it is known where to, and a processor
  // finds out by itself only after the first lines that more are wanted.
  void fetch_data() const {
    if (bytes_ <= first_line()) return;
    if (is_short(bytes_)) {
      const std::byte *const end = in_slot() + bytes_;
      for (const std::byte *line = slot() + cache_line; line < end; line += cache_line) __builtin_prefetch(line);
      return;
    }
    const std::byte *const first = data();
    const std::int64_t lines = std::min<std::int64_t>((bytes_ + cache_line - 1) / cache_line, 8);
    for (std::int64_t i = 0; i < lines; ++i) __builtin_prefetch(first + i * cache_line);
  }
  // With the cache lines of what is long, for the next writer.
  static void take(std::byte *to, std::byte *from, std::int64_t bytes) {
    copy_and_take(to, from, static_cast<std::size_t>(bytes));
  }

  SlotWord there_{};        // of the last message that has been found
  std::int64_t bytes_ = 0;  // likewise
  ToldCount other_has_taken_{};
};

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
