#pragma once

// Messages of any length from one process to another, in order, through memory that they share.
//
// There are two slots, used in turn. A message that fits lies in its slot as a whole: the writer copies it there and
// then stores the number of the message in the slot's head, which the reader looks at; a short message costs one cache
// line. A longer one passes through its slot in cuts, which are counted. Messages are numbered from 1; a slot is free
// for message n once message n - 2 has been taken. The reader counts what it has taken in a line of its own, and tells
// the count with its next message the other way, too: where messages go both ways nobody looks at that line.
//
// Where the reader can read the writer's memory (wire/attach.hpp), a slot may instead say where the data of a message
// lies. The reader then copies it from there, and its memory must stay as it is until the message has been taken.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "varying/outgoing.hpp"
#include "wire/copy.hpp"

namespace rondo::internal {

// Where things lie in the memory of one direction. All offsets and lengths are multiples of a cache line.
struct SlotPlaces {
  static constexpr std::int64_t slots = 2;
  static constexpr std::int64_t cuts = 4;  // of a slot

  std::int64_t slot_bytes;

  [[nodiscard]] static constexpr std::int64_t counts_bytes() { return 2 * cache_line; }
  [[nodiscard]] std::int64_t bytes() const { return counts_bytes() + slots * slot_bytes; }
};

struct SlotHead {
  std::atomic<std::uint64_t> word;  // the message's number, and what its writer has taken from its reader, 32 bits each
  std::int64_t bytes;               // of the message; of a slot that says where the data lies, ~bytes of what is there
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
  SlotEnd() = default;
  SlotEnd(std::byte *memory, const SlotPlaces &places) : memory_(memory), places_(places) {}

  // To be called by the reader before the two processes meet.
  static void clear(std::byte *memory, const SlotPlaces &places) {
    new (memory) ReaderCounts{};
    new (memory + cache_line) WriterCounts{};
    for (int slot = 0; slot < SlotPlaces::slots; ++slot) {
      new (memory + SlotPlaces::counts_bytes() + slot * places.slot_bytes) SlotHead{};
    }
  }

 protected:
  [[nodiscard]] ReaderCounts &reader() const { return *reinterpret_cast<ReaderCounts *>(memory_); }
  [[nodiscard]] WriterCounts &writer() const { return *reinterpret_cast<WriterCounts *>(memory_ + cache_line); }
  [[nodiscard]] SlotHead &head() const { return *reinterpret_cast<SlotHead *>(slot()); }
  // A message that fits into the cache line of the head lies there; another one begins at the next line.
  [[nodiscard]] std::byte *data(std::int64_t bytes) const {
    const bool with_head = bytes <= cache_line - static_cast<std::int64_t>(sizeof(SlotHead));
    return slot() + (with_head ? static_cast<std::int64_t>(sizeof(SlotHead)) : cache_line);
  }
  [[nodiscard]] std::int64_t room() const { return places_.slot_bytes - cache_line; }
  [[nodiscard]] bool in_cuts(std::int64_t bytes) const { return bytes > room(); }
  [[nodiscard]] std::int64_t cut_bytes() const { return room() / SlotPlaces::cuts / 8 * 8; }
  [[nodiscard]] std::uint64_t cuts_of(std::int64_t bytes) const {
    return static_cast<std::uint64_t>((bytes + cut_bytes() - 1) / cut_bytes());
  }
  // Where the k-th cut of a message lies.
  [[nodiscard]] std::byte *cut(std::int64_t k) const {
    return slot() + cache_line + k % SlotPlaces::cuts * cut_bytes();
  }

  // A number that changes with what this end moves.
  [[nodiscard]] std::uint64_t moved() const { return number_ + static_cast<std::uint64_t>(done_); }

  std::uint64_t number_ = 1;  // of the message that comes next
  std::uint64_t cuts_ = 0;    // of earlier messages
  std::int64_t done_ = 0;     // bytes of this message

  [[nodiscard]] std::byte *slot() const {
    return memory_ + SlotPlaces::counts_bytes() +
           static_cast<std::int64_t>(number_ % SlotPlaces::slots) * places_.slot_bytes;
  }

 private:
  std::byte *memory_ = nullptr;
  SlotPlaces places_{};
};

class SlotReader : public SlotEnd {
 public:
  using SlotEnd::SlotEnd;

  // Whether a message is there.
  [[nodiscard]] bool arrived() {
    const std::uint64_t word = head().word.load(std::memory_order_acquire);
    if (static_cast<std::uint32_t>(word >> 32) != static_cast<std::uint32_t>(number_)) return false;
    fetch_data();
    other_has_taken_ = static_cast<std::uint32_t>(word);
    return true;
  }
  // Of the message that is there: what is in the slot, or passes through it.
  [[nodiscard]] std::int64_t bytes() const { return data_lies_elsewhere() ? ~head().bytes : head().bytes; }
  // Whether it says where its data lies.
  [[nodiscard]] bool data_lies_elsewhere() const { return head().bytes < 0; }
  // What has not been read of a message that lies in its slot as a whole.
  [[nodiscard]] std::span<const std::byte> rest() const {
    return {data(bytes()) + done_, static_cast<std::size_t>(bytes() - done_)};
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

  // Copies what has come of its next so many bytes; gives how many these are.
  std::int64_t read(std::byte *to, std::int64_t most) {
    most = std::min(most, bytes() - done_);
    if (most == 0) return 0;
    if (!in_cuts(bytes())) {
      take(to, data(bytes()) + done_, most);
      done_ += most;
      return most;
    }
    std::int64_t read = 0;
    while (read < most) {
      const std::int64_t k = done_ / cut_bytes();
      if (writer().cuts.load(std::memory_order_acquire) <= cuts_ + static_cast<std::uint64_t>(k)) break;
      const std::int64_t in_cut = done_ % cut_bytes();
      const std::int64_t run = std::min(most - read, cut_bytes() - in_cut);
      take(to + read, cut(k) + in_cut, run);
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
    if (in_cuts(bytes())) cuts_ += cuts_of(bytes());
    done_ = 0;
    reader().messages.store(number_++, std::memory_order_release);
  }
  [[nodiscard]] std::uint64_t taken() const { return number_ - 1; }
  using SlotEnd::moved;
  // How many messages the other has taken by what it has told with the last.
  [[nodiscard]] std::uint32_t other_has_taken() const { return other_has_taken_; }

 private:
  // Begins to fetch the first lines of what is there. The copy comes only when it is known where to, and a processor
  // finds out by itself only after the first lines that more are wanted.
  void fetch_data() const {
    const auto fetch = [line = reinterpret_cast<const std::byte *>(&head())](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i <= last; ++i) __builtin_prefetch(line + i * cache_line);
    };
    if (data(head().bytes) == slot() + cache_line) fetch(1, 2);
    if (head().bytes > 2 * cache_line) fetch(3, 8);
  }
  // With the cache lines of what is long, for the next writer.
  static void take(std::byte *to, std::byte *from, std::int64_t bytes) {
    const auto length = static_cast<std::size_t>(bytes);
    length < 2048 ? copy_bytes(to, from, length) : copy_and_take(to, from, length);
  }

  std::uint32_t other_has_taken_ = 0;
};

class SlotWriter : public SlotEnd {
 public:
  using SlotEnd::SlotEnd;

  // Writes what there is room for of a message of so many bytes, by write(to, bytes), which copies the next bytes of
  // it; true once it has all been written. `back` is the reader of the other direction.
  template <class Write>
  bool write(std::int64_t bytes, const SlotReader &back, Write &&write) {
    if (done_ == 0 && !begun_) {
      if (!slot_is_free(back)) return false;
      if (!in_cuts(bytes)) {
        write(data(bytes), bytes);
        show(bytes, back);
        ++number_;
        return true;
      }
      begun_ = true;
    }
    return write_cuts(bytes, back, write);
  }
  // Writes a message of one block, without a head, if it fits into its slot and that is free; says whether it did.
  bool write_whole(const BlockData &block, const SlotReader &back) {
    if (in_cuts(block.bytes) || !slot_is_free(back)) return false;
    if (block.bytes > 0) copy_bytes(data(block.bytes), block.data, static_cast<std::size_t>(block.bytes));
    show(block.bytes, back);
    ++number_;
    return true;
  }
  using SlotEnd::moved;
  // Begins to fetch what the next message will be written to.
  void fetch() const { fetch_for_writing(&head()); }

  // Whether a message can be begun.
  [[nodiscard]] bool is_free(const SlotReader &back) { return done_ == 0 && !begun_ && slot_is_free(back); }
  // Whether so many bytes fit into a slot.
  [[nodiscard]] bool fits(std::int64_t bytes) const { return !in_cuts(bytes); }
  // As write(), of a message that says where its data lies. It fits, and the slot is free.
  template <class Write>
  void write_places(std::int64_t bytes, const SlotReader &back, Write &&write) {
    write(data(bytes), bytes);
    show(~bytes, back);
    ++number_;
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
  [[nodiscard]] bool slot_is_free(const SlotReader &back) {
    if (number_ <= taken_ + SlotPlaces::slots) return true;
    // The other has told the lower 32 bits of its count, perhaps before what is known.
    const auto ahead = static_cast<std::int32_t>(back.other_has_taken() - static_cast<std::uint32_t>(taken_));
    if (ahead > 0) taken_ += static_cast<std::uint64_t>(ahead);
    if (number_ <= taken_ + SlotPlaces::slots) return true;
    taken_ = reader().messages.load(std::memory_order_acquire);
    return number_ <= taken_ + SlotPlaces::slots;
  }

  void show(std::int64_t bytes, const SlotReader &back) {
    head().bytes = bytes;
    head().word.store(number_ << 32 | static_cast<std::uint32_t>(back.taken()), std::memory_order_release);
  }

  template <class Write>
  bool write_cuts(std::int64_t bytes, const SlotReader &back, Write &&write) {
    while (done_ < bytes) {
      const std::int64_t k = done_ / cut_bytes();
      const std::uint64_t count = cuts_ + static_cast<std::uint64_t>(k) + 1;
      if (k >= SlotPlaces::cuts && reader().cuts.load(std::memory_order_acquire) + SlotPlaces::cuts < count)
        return false;
      const std::int64_t run = std::min(cut_bytes(), bytes - done_);
      write(cut(k), run);
      done_ += run;
      writer().cuts.store(count, std::memory_order_release);
      if (k == 0) show(bytes, back);
    }
    cuts_ += cuts_of(bytes);
    done_ = 0;
    begun_ = false;
    ++number_;
    return true;
  }

  std::uint64_t taken_ = 0;  // by the reader, as far as it is known
  bool begun_ = false;       // a message that passes in cuts
};

}  // namespace rondo::internal
