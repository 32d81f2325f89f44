#pragma once

// The end of a direction that takes messages (varying/slot_end.hpp).

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "varying/slot_end.hpp"

namespace rondo::internal {

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

}  // namespace rondo::internal
