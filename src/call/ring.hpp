#pragma once

// A stream of bytes from one process to another, through memory that they share.
//
// The writer counts what it has written, the reader what it has taken; each counts on alone, in 64 bits. Messages have
// no heads: both ends know the length of each before it comes. They begin at cache lines.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "wire/copy.hpp"

namespace rondo::internal::call {

constexpr auto line = static_cast<std::uint64_t>(cache_line);

struct RingCounts {
  alignas(line) std::atomic<std::uint64_t> written;
  alignas(line) std::atomic<std::uint64_t> taken;
};

constexpr std::uint64_t next_line(std::uint64_t position) {
  return (position + line - 1) / line * line;
}

// One end of it. The capacity is a multiple of a cache line.
class RingEnd {
 public:
  RingEnd() = default;
  RingEnd(RingCounts *counts, std::byte *bytes, std::uint64_t capacity)
      : counts_(counts), bytes_(bytes), capacity_(capacity) {}

  [[nodiscard]] explicit operator bool() const { return counts_ != nullptr; }

 protected:
  // The most that is copied before the other end is told: it can begin while the rest is copied.
  static constexpr std::uint64_t portion = 8192;

  // Calls copy(at, done, length) for the next `length` bytes, in at most two runs.
  template <class Copy>
  void for_each_run(std::uint64_t length, Copy &&copy) {
    for (std::uint64_t done = 0; done < length;) {
      const std::uint64_t at = (position_ + done) % capacity_;
      const std::uint64_t run = std::min(length - done, capacity_ - at);
      copy(bytes_ + at, done, run);
      done += run;
    }
  }

  RingCounts *counts_ = nullptr;
  std::byte *bytes_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t known_ = 0;  // of the other end's count
};

class RingWriter : public RingEnd {
 public:
  using RingEnd::RingEnd;

  // Writes what there is room for of the `left` bytes that a message still has; gives how many.
  std::uint64_t write(const std::byte *from, std::uint64_t left) {
    std::uint64_t done = 0;
    while (done < left) {
      const std::uint64_t length = std::min({left - done, room(left - done), portion});
      if (length == 0) break;
      for_each_run(length, [&](std::byte *at, std::uint64_t begin, std::uint64_t run) {
        copy_bytes(at, from + done + begin, run);
      });
      done += length;
      position_ += length;
      if (done == left) position_ = next_line(position_);
      counts_->written.store(position_, std::memory_order_release);
    }
    return done;
  }

 private:
  // The other end is asked only where what is known of it does not do.
  std::uint64_t room(std::uint64_t wanted) {
    if (position_ + wanted > known_ + capacity_) known_ = counts_->taken.load(std::memory_order_acquire);
    return known_ + capacity_ - std::min(position_, known_ + capacity_);
  }
};

class RingReader : public RingEnd {
 public:
  using RingEnd::RingEnd;

  // Takes what has come of the `left` bytes that a message still has; gives how many.
  std::uint64_t read(std::byte *to, std::uint64_t left) {
    std::uint64_t done = 0;
    while (done < left) {
      const std::uint64_t length = std::min({left - done, come(left - done), portion});
      if (length == 0) break;
      for_each_run(length, [&](std::byte *at, std::uint64_t begin, std::uint64_t run) {
        copy_and_take(to + done + begin, at, run);
      });
      done += length;
      position_ += length;
      if (done == left) position_ = next_line(position_);
      counts_->taken.store(position_, std::memory_order_release);
    }
    return done;
  }

 private:
  std::uint64_t come(std::uint64_t wanted) {
    if (position_ + wanted > known_) known_ = counts_->written.load(std::memory_order_acquire);
    return known_ - std::min(position_, known_);
  }
};

}  // namespace rondo::internal::call
