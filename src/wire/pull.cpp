#include "wire/pull.hpp"

#include <fmt/format.h>

#include <atomic>

#include "exchange/error.hpp"
#include "wire/attach.hpp"

namespace rondo::internal {

void Pull::run(const Start &start) {
  try {
    take(start);
  } catch (...) {
    if (taken.flag != nullptr) taken.give(start);
    throw;
  }
  if (taken.flag != nullptr) taken.give(start);
}

void Pull::take(const Start &start) {
  internal::run(mapped);
  if (!to.empty()) {
    follow_bases();
    try {
      read_process(process, to, from);
    } catch (const Error &error) {
      if (!withdrawn()) throw unreadable(peer, error);  // one that has given up may have freed the memory
    }
  }
  if (!withdrawn()) return;
  throw Error(Fault::stalled, fmt::format("{}: rank {} has given up an exchange", *start.plan, peer)).with_peer(peer);
}

// Adjusts the addresses to read from where the sender has moved to other buffers since. Called after the message's flag
// is up, which makes the sender's current bases visible here.
void Pull::follow_bases() {
  const std::intptr_t send = bases->send.load(std::memory_order_relaxed);
  const std::intptr_t receive = bases->receive.load(std::memory_order_relaxed);
  if (send == send_base && receive == receive_base) return;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::intptr_t moved = in_receive[i] ? receive - receive_base : send - send_base;
    from[i].iov_base = static_cast<char *>(from[i].iov_base) + moved;
  }
  send_base = send;
  receive_base = receive;
}

// Whether the sender has given up the exchange, so that what has been read of its memory may be anything. To be called
// after the read: the fence keeps processors from doing the read later.
bool Pull::withdrawn() const {
  if (bases == nullptr) return false;
  std::atomic_thread_fence(std::memory_order_acquire);
  return bases->withdrawn.load(std::memory_order_relaxed) != 0;
}

void Pull::move(const Moved &moved) {
  internal::move(mapped, moved);
  for (std::size_t i = 0; i < to.size(); ++i) {
    auto *address = static_cast<std::byte *>(to[i].iov_base);
    moved.follow(address, to_homes[i]);
    to[i].iov_base = address;
  }
}

}  // namespace rondo::internal
