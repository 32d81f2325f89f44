#include "wire/ring_end.hpp"

#include <algorithm>
#include <span>

namespace rondo::internal {

void RingEnd::begin(std::uint64_t starts_before) {
  before_ = starts_before * static_cast<std::uint64_t>(cuts_);
  done_ = 0;
  run_ = 0;
  used_ = 0;
}

bool RingEnd::advance() {
  while (!done() && may_move()) {
    move_cut();
    ++done_;
    places_.mine->store(before_ + static_cast<std::uint64_t>(done_), std::memory_order_release);
    places_.bell->ring();
  }
  return done();
}

// The slots are free at the begin of a start, as the whole bank is.
bool RingEnd::may_move() const {
  if (!sends_) return up(places_.theirs, before_ + static_cast<std::uint64_t>(done_) + 1);
  return done_ < shape_.slots || up(places_.theirs, before_ + static_cast<std::uint64_t>(done_ - shape_.slots) + 1);
}

void RingEnd::move_cut() {
  std::byte *const slot = places_.slots + done_ % shape_.slots * shape_.cut;
  const std::int64_t length = std::min(shape_.cut, shape_.bytes - done_ * shape_.cut);
  for (std::int64_t moved = 0; moved < length;) {
    const Run &run = runs_[run_];
    const std::int64_t bytes = std::min(length - moved, run.length - used_);
    std::byte *const here = run.address + used_;
    std::byte *const there = slot + moved;
    const auto size = static_cast<std::size_t>(bytes);
    const BoundCopy copy = sends_ ? BoundCopy{here, there, size} : BoundCopy{there, here, size, true};
    internal::run({&copy, 1});
    moved += bytes;
    used_ += bytes;
    if (used_ < run.length) continue;
    ++run_;
    used_ = 0;
  }
}

}  // namespace rondo::internal
