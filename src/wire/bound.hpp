#pragma once

// A schedule bound to addresses and MPI requests: what the executor runs, and nothing that it would have to
// work out at a start.

#include <mpi.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/bell.hpp"
#include "wire/copy.hpp"
#include "wire/pieces.hpp"

namespace rondo::internal {

// A copy of which an end is not a run of bytes: MPI copies it, as a message of this rank to itself.
struct TypedCopy {
  TypedMessage from;
  TypedMessage to;
};

struct BoundCopy {
  const std::byte *from;
  std::byte *to;
  std::size_t bytes;
  bool takes = false;  // by copy_and_take: from memory that ranks share, and that nobody else writes or takes
};

inline void run(std::span<const BoundCopy> copies) {
  for (const BoundCopy &copy : copies) {
    if (copy.takes) {
      copy_and_take(copy.to, const_cast<std::byte *>(copy.from), copy.bytes);
    } else {
      copy_bytes(copy.to, copy.from, copy.bytes);
    }
  }
}

// A run of indices.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// A number in shared memory that only grows: the count of the start for which something is there.
using Flag = std::atomic<std::uint64_t>;

// Whether it has been raised for this start, or a later one.
inline bool up(const Flag *flag, std::uint64_t start) {
  return flag->load(std::memory_order_acquire) >= start;
}

// Tells another rank that its data is there.
struct Signal {
  Flag *flag = nullptr;
  Bell *bell = nullptr;      // of that rank
  std::uint32_t copies = 0;  // of the step's `before` that must be done
};

// Where the send and the receive space lie in the process of the rank that they belong to, as the others of its node
// see it. It changes only while none of them reads (RONDO_Rebind of an inactive plan).
struct ProcessBases {
  std::atomic<std::intptr_t> send;
  std::atomic<std::intptr_t> receive;
  std::atomic<int> withdrawn;  // 1: the rank has given up an exchange, and its memory may hold anything
};

// What the receiver takes itself, when its flag is up: a message out of the sender's memory, which the sender then
// hears of and may not go on before, or one cut of a large message out of the room that it was pushed to.
struct Pull {
  int peer = -1;
  const Flag *ready = nullptr;
  Signal taken{};                 // without a flag for a cut
  std::vector<BoundCopy> mapped;  // what lies in memory that both map
  pid_t process = 0;              // the rest is read from this process
  std::vector<iovec> to;
  std::vector<iovec> from;
  // What `from` counts from, and for each of its pieces whether it lies in the receive space: the sender's buffers may
  // be others at a later start.
  const ProcessBases *bases = nullptr;
  std::intptr_t send_base = 0;
  std::intptr_t receive_base = 0;
  std::vector<bool> in_receive;
};

// A step in which every rank of the node waits for every other: each adds one, and all wait for the sum.
struct Gathering {
  Flag *arrived = nullptr;
  Bell *bell = nullptr;
  std::uint64_t ranks = 0;
};

// `before` is copied (into memory of other ranks of the node too) and signals are given on the way, then the requests
// are started (those of a first step that need no copies before that), then `meanwhile` is copied. The step is complete
// when all flags are up, all pulls are done, all pulls by others are acknowledged, and all requests are complete; then
// `after` is copied.
struct BoundStep {
  Range before;
  Range requests;
  std::uint32_t receives = 0;  // of the requests, the first ones
  Range meanwhile;
  Range after;
  Range signals;
  Range flags;
  Range pulls;
  Range acknowledgements;
  int gathering = -1;  // index, or none
};

struct BoundSchedule {
  std::vector<BoundStep> steps;
  std::vector<BoundCopy> copies;
  std::vector<TypedCopy> typed_copies;  // in the `meanwhile` of the first step
  std::vector<MPI_Request> requests;    // persistent
  std::vector<MPI_Datatype> types;      // made for messages in several pieces, or of more bytes than an int counts
  std::vector<Signal> signals;
  std::vector<const Flag *> flags;
  std::vector<Pull> pulls;
  std::vector<const Flag *> acknowledgements;
  std::vector<Gathering> gatherings;
  std::vector<const Flag *> fetched_before;  // of the first step, what the start before begins to fetch for writing
  std::vector<int> peers_of_flags;           // the rank behind each of `flags`, to name it when it does not come
  std::vector<int> peers_of_requests;        // likewise
  std::vector<int> peers_of_acknowledgements;
  int steps_with_messages = 0;
  // Nothing has to be copied before the first step's requests may start: they send what lies in the send space.
  bool requests_need_no_copies = false;

  BoundSchedule() = default;
  BoundSchedule(BoundSchedule &&) noexcept = default;
  BoundSchedule &operator=(BoundSchedule &&) noexcept = default;
  ~BoundSchedule();

  template <class Item>
  static std::span<const Item> part(const std::vector<Item> &items, Range range) {
    return std::span(items).subspan(range.first, range.count);
  }
};

}  // namespace rondo::internal
