#pragma once

// What a receiver takes itself, out of memory of the sender or of its own inbox, when the message's flag is up.

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wire/bell.hpp"
#include "wire/bound_copy.hpp"
#include "wire/flag.hpp"
#include "wire/shared_table.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// Tells another rank that its data is there, or has been taken.
struct Signal {
  Flag *flag = nullptr;
  Bell *bell = nullptr;      // of that rank
  std::uint32_t copies = 0;  // of the step's pushes that must be done

  void give(const Start &start) const {
    flag->store(start.number, std::memory_order_release);
    bell->ring();
  }
};

// A message out of the sender's memory, which the sender then hears of and may not go on before, or one cut of a large
// message out of the inbox that it was pushed to.
struct Pull {
  int peer = -1;
  const Flag *ready = nullptr;
  Signal taken{};                 // without a flag where the sender does not wait for it
  std::vector<BoundCopy> mapped;  // what lies in memory that both map
  pid_t process = 0;              // the rest is read from this process
  std::vector<iovec> to;
  std::vector<Home> to_homes;
  std::vector<iovec> from;
  // What `from` counts from, and for each of its pieces whether it lies in the receive space: the sender's buffers may
  // be others at a later start.
  const ProcessBases *bases = nullptr;
  std::intptr_t send_base = 0;
  std::intptr_t receive_base = 0;
  std::vector<bool> in_receive;

  // Once `ready` is up. Acknowledges to the sender even if it throws: its memory is not read any more, and without an
  // acknowledgement its step would never end. Throws Error (stalled) where the sender has given up the exchange.
  void run(const Start &start);
  void move(const Moved &moved);

 private:
  void take(const Start &start);
  void follow_bases();
  [[nodiscard]] bool withdrawn() const;
};

}  // namespace rondo::internal
