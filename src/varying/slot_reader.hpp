#pragma once

// The end of a direction that takes messages (varying/slot_end.hpp).

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "varying/slot_end.hpp"
#include "wire/looks.hpp"

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

  // Begins to fetch the line that says whether a message is there.
  void fetch_slot() const { __builtin_prefetch(slot()); }
  // Whether a message is there.
  [[nodiscard]] bool arrived() {
    Looks once;
    return arrived(once);
  }
  [[nodiscard]] bool arrived(Looks &looks) {
    const std::atomic<std::uint64_t> &next = word();
    const std::uint64_t number = number_;
    SlotWord there;
    const bool found = looks.until([&] {
      there = SlotWord(next.load(std::memory_order_acquire));
      return there.is_of(number);
    });
    if (!found) return false;
    there_ = there;
    other_has_taken_.hear(there.taken());
    part_ = bytes_ = there.bytes();
    if (!is_in_slot()) {
      bytes_ = long_message().bytes;
      part_ = long_message().part;
      if (is_amid_parts() && done_ == 0) taken_before_parts_ = other_has_taken();
    }
    fetch_data();
    return true;
  }
  // Of the message that is there, of which only the first part need have come.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // Whether a message has been found that comes in parts, and has not been read to its end.
  [[nodiscard]] bool is_amid_parts() const { return part_ < bytes_; }
  // How many of those have been found.
  [[nodiscard]] std::uint64_t found_in_parts() const { return ended_in_parts_ + (is_amid_parts() ? 1 : 0); }
  // How many slots the other had taken when it began the last of those.
  [[nodiscard]] std::uint64_t taken_before_parts() const { return taken_before_parts_; }
  // Whether it says where its data lies.
  [[nodiscard]] bool tells_places() const { return there_.tells_places(); }
  // Whether it belongs to something else than what this process is at.
  [[nodiscard]] bool has_other_mark() const { return mark_ != nullptr && mark_in_slot() != *mark_; }
  // Whether that is something later.
  [[nodiscard]] bool has_later_mark() const { return mark_ != nullptr && mark_in_slot() > *mark_; }
  // What has not been read of a message that is there as a whole, or of the part that is there.
  [[nodiscard]] std::span<const std::byte> rest() const {
    return {data() + (done_ - part_begin_), static_cast<std::size_t>(part_end() - done_)};
  }
  // This process cannot map the writer's SendMemory. To be called before the end of the message that tells of it.
  void refuse() { reader().refused.store(1, std::memory_order_relaxed); }
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
  Whole read_whole(std::byte *to, std::int64_t bytes, Looks &looks) {
    if (!arrived(looks)) return Whole::not_there;
    if (has_other_mark() || !read_at_once(to, bytes)) [[unlikely]]
      return Whole::another;
    end_part();
    return Whole::taken;
  }
  // Of a message that is there: reads what has these bytes and lies here in one piece, if nothing has been read yet.
  bool read_at_once(std::byte *to, std::int64_t bytes) {
    if (bytes != bytes_ || tells_places() || done_ > 0 || part_ < bytes) return false;
    if (bytes > 0) take(to, data(), bytes);
    return true;
  }
  // Copies some of what has come of its next so many bytes; gives how many these are.
  std::int64_t read(std::byte *to, std::int64_t most) {
    most = std::min(most, bytes_ - done_);
    emptied_tray_ = false;
    std::int64_t read = 0;
    while (read < most && !emptied_tray_ && part_is_there()) {
      const std::int64_t run = std::min(most - read, part_end() - done_);
      take(to + read, data() + (done_ - part_begin_), run);
      read += run;
      done_ += run;
      if (done_ < part_end() || done_ == bytes_) continue;
      emptied_tray_ = in_tray();
      end_part();
      part_begin_ = done_;
    }
    return read;
  }
  // Whether the last read has stopped after a part that came in a tray: this process can fill that, so that the other
  // goes on, before it reads the next part.
  [[nodiscard]] bool has_emptied_tray() const { return emptied_tray_; }

  // All of the message has been read.
  void end() {
    end_part();
    if (is_amid_parts()) ++ended_in_parts_;
    done_ = part_begin_ = 0;
    part_ = bytes_;
  }
  // Messages and parts of them.
  [[nodiscard]] std::uint64_t taken() const { return number_ - 1; }
  using SlotEnd::moved;
  // How many of them the other has taken by what it has told with its own.
  [[nodiscard]] std::uint64_t other_has_taken() const { return other_has_taken_.known(); }

 private:
  // Of the last message that has been found.
  [[nodiscard]] bool is_in_slot() const { return there_.bytes() != SlotWord::not_short; }
  [[nodiscard]] bool in_tray() const { return !is_in_slot() && Trays::is_tray(long_message().place); }
  // Where the part lies that is there.
  [[nodiscard]] std::byte *data() const {
    if (is_in_slot()) return in_slot();
    return in_tray() ? trays().come(long_message().place) : in_ring(long_message().place);
  }
  [[nodiscard]] std::int64_t part_end() const { return part_begin_ + part_; }
  // Of a message whose first part has been found.
  bool part_is_there() {
    if (done_ > part_begin_ || done_ == 0) return true;
    return arrived();
  }
  // The part has been read.
  void end_part() {
    if (in_tray()) trays().take(long_message().place);
    reader().slots.store(number_, std::memory_order_release);
    go_to_next_slot();
  }
  // Begins to fetch the first lines of what is there. The copy comes only when it is known where to.
  void fetch_data() const {
    if (bytes_ <= first_line()) return;
    if (is_in_slot()) {
      const std::byte *const end = in_slot() + bytes_;
      for (const std::byte *line = slot() + cache_line; line < end; line += cache_line) __builtin_prefetch(line);
      return;
    }
    fetch_ahead(data(), static_cast<std::size_t>(part_));
  }
  // With the cache lines of what is long, for the next writer.
  static void take(std::byte *to, std::byte *from, std::int64_t bytes) {
    copy_and_take(to, from, static_cast<std::size_t>(bytes));
  }

  SlotWord there_{};             // of the last message that has been found
  std::int64_t bytes_ = 0;       // likewise
  std::int64_t part_ = 0;        // bytes of the part that has been found last
  std::int64_t part_begin_ = 0;  // where that, or the one that comes next, begins in the message
  std::uint64_t ended_in_parts_ = 0;
  std::uint64_t taken_before_parts_ = 0;
  bool emptied_tray_ = false;  // by the last read
  ToldCount other_has_taken_{};
};

}  // namespace rondo::internal
