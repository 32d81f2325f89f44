#pragma once

// Messages of any length from one process to another, in order, through memory that they share, divided as
// varying/slot_places.hpp says.
//
// There are a few slots, used in turn, a tray and a ring for data. A slot says which message is there and how long it
// is: the writer fills it in and then stores the slot's number in it, which the reader looks at. Data that is short
// lies in the slot itself, if it is of a line or so or no tray is there; all other data lies in a tray or in the ring,
// in one piece, and the slot says where. A message that is too long for both comes in parts, each with a slot of its
// own. Slots are numbered from 1, on and on; a slot and the place that it tells of are free again once what is there
// has been taken. The reader counts what it has taken in a line of its own, and tells the count with its next message
// the other way, too: where messages go both ways nobody looks at that line.
//
// Where the reader can read the writer's memory (wire/attach.hpp), a slot may instead say where the data of a message
// lies. The reader then copies it from there, and its memory must stay as it is until the message has been taken.

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "varying/slot_places.hpp"
#include "varying/trays.hpp"
#include "wire/copy.hpp"

namespace rondo::internal {

// What a slot tells of what is there, all at once. From the highest bit on: 16 bits of the slot's number, whether it
// says where its data lies, 15 bits of the length of a message that is short, and how many slots its writer has taken
// from its reader, as far as 32 bits hold that. What is there before has the number of a round of slots earlier, or 0.
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

// What lies in a slot, where the data of a short message would begin, if the message is longer.
struct LongMessage {
  std::int64_t bytes;  // of all its parts
  std::int64_t place;  // of this part, or of all: in the ring, or what Trays::give() says
  std::int64_t part;   // bytes that lie there
};

struct ReaderCounts {
  std::atomic<std::uint64_t> slots;  // whose message, or part of one, has been taken
  std::atomic<std::uint64_t> read;   // bytes, of what the writer's slots have told the place of
  std::atomic<int> refused;          // 1: the reader cannot map the writer's SendMemory
};

struct WriterCounts {
  std::atomic<int> withdrawn;  // 1: the writer has given up an exchange, and its memory may hold anything
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
  // The slot that comes next: a SlotWord; the mark, where there is one; what is in the slot.
  [[nodiscard]] std::byte *slot() const { return slot_; }
  [[nodiscard]] std::atomic<std::uint64_t> &word() const {
    return *reinterpret_cast<std::atomic<std::uint64_t> *>(slot_);
  }
  [[nodiscard]] std::uint64_t &mark_in_slot() const {
    return *reinterpret_cast<std::uint64_t *>(slot_ + sizeof(std::uint64_t));
  }
  [[nodiscard]] std::byte *in_slot() const { return slot_ + data_at_; }
  [[nodiscard]] LongMessage &long_message() const { return *reinterpret_cast<LongMessage *>(in_slot()); }
  void go_to_next_slot() {
    ++number_;
    find_slot();
  }
  [[nodiscard]] std::byte *in_ring(std::int64_t place) const { return data_ + places_.tray_bytes + place; }
  [[nodiscard]] Trays &trays() const { return trays_; }
  [[nodiscard]] bool is_short(std::int64_t bytes) const { return bytes <= most_short_; }
  // What the first line of a slot holds of a message.
  [[nodiscard]] std::int64_t first_line() const { return cache_line - data_at_; }
  [[nodiscard]] std::int64_t part_bytes() const { return places_.part_bytes(); }
  [[nodiscard]] std::int64_t ring_bytes() const { return places_.ring_bytes; }
  [[nodiscard]] std::int64_t tray_bytes() const { return places_.tray_bytes; }
  [[nodiscard]] std::uint64_t slots() const { return static_cast<std::uint64_t>(places_.slots); }
  // Of the slot that has this number.
  [[nodiscard]] std::uint64_t index_of(std::uint64_t number) const { return number & (slots() - 1); }

  // A number that changes with what this end moves. The bytes count from 0 again when a message ends, with one slot
  // more.
  [[nodiscard]] std::uint64_t moved() const { return (number_ << 40) + static_cast<std::uint64_t>(done_); }

  std::uint64_t number_ = 1;  // of the slot that comes next
  std::int64_t done_ = 0;     // bytes of the message that is under way
  const std::uint64_t *mark_;

 private:
  void find_slot() { slot_ = slots_ + SlotPlaces::slot(static_cast<std::int64_t>(index_of(number_))); }

  std::int64_t data_at_;     // in a slot
  std::int64_t most_short_;  // bytes that a slot holds
  std::byte *slot_ = nullptr;
  std::byte *slots_;
  std::byte *data_;
  SlotPlaces places_;
  Trays &trays_;
};

}  // namespace rondo::internal
