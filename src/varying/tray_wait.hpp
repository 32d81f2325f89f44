#pragma once

// When the next part of a long message waits for a tray.

#include <chrono>
#include <cstdint>
#include <optional>

#include "varying/slot_reader.hpp"

namespace rondo::internal {

// Where two processes send each other long messages at the same time, a tray comes back as soon as the other has
// emptied and filled it, and to wait for it takes less time than a part takes that goes by the ring
// (docs/performance.md). Where nothing long comes the other way, or only once this message has been taken, no tray
// comes back. So a part waits while a long message comes, or is likely to, as one came while the last one went. It does
// not wait long, as the other may be at something else. Where processes take turns on a core, nobody fills a tray while
// another waits: parts go by the ring there.
class TrayWait {
 public:
  // How long a part waits that may: a few times as long as a part takes.
  static constexpr std::chrono::microseconds usual{20};

  explicit TrayWait(std::chrono::microseconds longest) : longest_(longest) {}

  // Of a message in parts, once the first has been written. `back` is the reader of the other direction.
  void begin(const SlotReader &back) {
    const bool has_come = back.found_in_parts() != found_before_;
    came_while_last_went_ = has_come && back.taken_before_parts() < last_slot_;
    found_before_ = back.found_in_parts();
    taken_before_ = back.taken();
    over_ = false;
    since_.reset();
  }
  // Whether the next part should wait. To be asked before each but the first, also if there is a tray.
  bool waits(const SlotReader &back, bool has_tray) {
    if (has_tray) since_.reset();
    if (has_tray || over_) return false;
    const bool is_likely = came_while_last_went_ && back.taken() == taken_before_;
    return (back.is_amid_parts() || is_likely) && !is_over();
  }
  // The message ends with this slot.
  void end(std::uint64_t last_slot) { last_slot_ = last_slot; }

 private:
  bool is_over() {
    const auto now = std::chrono::steady_clock::now();
    if (!since_) since_ = now;
    over_ = now - *since_ >= longest_;
    return over_;
  }

  std::chrono::microseconds longest_;
  bool came_while_last_went_ = false;  // a long message of the other direction
  bool over_ = false;                  // for the rest of this one
  std::uint64_t last_slot_ = 0;        // of the last one
  std::uint64_t found_before_ = 0;     // long messages of the other direction, when this one began
  std::uint64_t taken_before_ = 0;     // its slots, likewise
  std::optional<std::chrono::steady_clock::time_point> since_{};
};

}  // namespace rondo::internal
