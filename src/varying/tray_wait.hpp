#pragma once

// When the next part of a long message waits for a tray.

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "varying/slot_reader.hpp"

namespace rondo::internal {

// Where two processes send each other long messages at the same time, a tray comes back as soon as the other has
// emptied and filled it, and to wait for it takes less time than a part takes that goes by the ring
// (docs/performance.md). Where nothing long comes the other way, no tray comes back. So a part waits while a long
// message comes, or is likely to since one has come since the last one went; and never for long, as the other may be at
// something else. Where processes take turns on a core, nobody fills a tray while another waits: parts go by the ring
// there.
class TrayWait {
 public:
  // Of a message in parts. `back` is the reader of the other direction.
  void begin(const SlotReader &back) {
    has_come_ = back.found_in_parts() != found_before_;
    found_before_ = back.found_in_parts();
    taken_before_ = back.taken();
    over_ = false;
    begin_part();
  }
  // Whether the next part should wait. To be asked before each but the first, also if there is a tray.
  bool waits(const SlotReader &back, bool has_tray) {
    if (has_tray) begin_part();
    if (has_tray || over_) return false;
    const bool is_likely = has_come_ && back.taken() == taken_before_;
    return (back.is_amid_parts() || is_likely) && !is_over();
  }

 private:
  static constexpr std::chrono::microseconds longest{20};

  void begin_part() {
    has_looked_ = false;
    since_.reset();
  }
  // From the second look on, since the process may do other things after the first: copy its own block.
  bool is_over() {
    if (!std::exchange(has_looked_, true)) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!since_) since_ = now;
    over_ = now - *since_ >= longest;
    return over_;
  }

  bool has_come_ = false;           // a long message, since the last one began that went
  bool over_ = false;               // for the rest of this one
  bool has_looked_ = false;         // for a tray for the next part
  std::uint64_t found_before_ = 0;  // long messages of the other direction, when this one began
  std::uint64_t taken_before_ = 0;  // its slots, likewise
  std::optional<std::chrono::steady_clock::time_point> since_{};
};

}  // namespace rondo::internal
