#pragma once

// What a receiver takes itself, out of memory of the sender or of its own inbox, when the message's flag is up.

#include <sys/types.h>
#include <sys/uio.h>

#include <cstdint>
#include <vector>

#include "wire/bound_copy.hpp"
#include "wire/flag.hpp"
#include "wire/shared_table.hpp"
#include "wire/signal.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// A message out of the sender's memory, or one cut of a large message out of the inbox that it was pushed to.
struct Pull {
  int peer = -1;
  const Flag *ready = nullptr;
  Signal taken{};                 // to the sender; without a flag where that does not wait for it
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

  // Once `ready` is up. A sender that waits for it hears of it even if it throws: its memory is not read any more, and
  // without an acknowledgement its step would never end. Throws Error (stalled) where the sender has given up the
  // exchange, and what unreadable() gives where its memory cannot be read.
  void run(const Start &start);
  void move(const Moved &moved);

 private:
  void take(const Start &start);
  void follow_bases();
  [[nodiscard]] bool withdrawn() const;
};

}  // namespace rondo::internal
