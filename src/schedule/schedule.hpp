#pragma once

// What one rank does with bytes: the immutable result of planning.
//
// Data lies in three spaces: send (read only), receive, and scratch, which the plan owns and where blocks of
// others rest between hops. A slice is a run of bytes in a space. A schedule is
//
//     prologue copies, then for each step: its messages, then epilogue copies,
//
// and `meanwhile` copies (the block of a rank to itself), which depend on nothing and may be done while the
// messages of the first step are in flight.
//
// A message is the bytes of its slices, one after the other. It travels on a wire (schedule/wire.hpp), which is the
// same for both of its ranks if it is shared; that of MPI each rank decides for its end. A message of MPI is either in
// place (the MPI library may read or write its slices for as long as the step lasts) or staged (gathered into, or
// scattered from, a piece of the staging space at its offset). A shared message is copied by the sender to where the
// receiver looks for it, and from there by the receiver after the messages of the step are complete: for the rules
// below it is like a staged one, but it has no place in staging, and staged() is false. Where the schedule is
// `steps_disjoint`, the receiver may instead take it out of the sender's slices itself, as soon as it can. Where
// `writers_reach_scratch`, what of it goes to scratch is written there by the sender, as soon as the receiver has come
// to the step `free_from` of the message. What `rests_at_sender`, at the end of the exchange in its scratch, the
// receiver may take from there when it likes, even when the sender has completed its schedule.
//
// The rules, which check_schedules (schedule/check.hpp) proves for all ranks at once:
//
//  1. The k-th message that rank a sends to b in a step meets the k-th that b receives from a in that step, and
//     they have the same number of bytes. No message is empty and no slice is.
//  2. A packed message of several slices is staged; other wires can take it as it lies. Staged messages are gathered
//     before any message of the step is under way, and scattered when all of them are complete. So a step reads all
//     that it sends before it writes anything that it receives, except in place; and what is sent in place does not
//     overlap what is received in place in the same step. In a schedule that is `steps_disjoint`, nothing that a step
//     receives through shared memory overlaps anything that it sends, and nothing that it sends through shared memory
//     overlaps anything that it receives, except staged.
//  3. Slices lie in what the exchange names: reads of the send space in its extents, writes to the receive space
//     in its extents, scratch within scratch_bytes, staged messages within staging_bytes and apart from each
//     other within a step. The send space is never written.
//  4. No byte is written twice within a step. A byte of the receive space is written once in all, unless the
//     layout lets blocks rest there.
//  5. A `meanwhile` copy touches nothing that the first step writes, and writes nothing that it reads.
//  6. Where `writers_reach_scratch`, a shared message that is free from step f of its rank, f being no later than
//     its own step, goes to places of scratch that nothing else reads or writes from step f to its own. With f = 0 no
//     copy of the prologue touches them either.
//  7. A message that rests at its sender is one of the last step, and does so for both of its ranks. Its slices at the
//     sender lie in scratch, and nothing writes there from this step on.
//  8. Run for all ranks, the schedules make the exchange's postcondition true.
//
// All lengths and offsets are 64-bit bytes.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "schedule/wire.hpp"

namespace rondo::internal {

enum class Space : std::uint8_t { send, receive, scratch };

struct Place {
  std::int64_t offset = 0;
  Space space = Space::send;

  friend bool operator==(const Place &, const Place &) = default;
};

struct Slice {
  std::int64_t offset = 0;
  std::int64_t length = 0;
  Space space = Space::send;

  [[nodiscard]] std::int64_t end() const { return offset + length; }
  [[nodiscard]] bool overlaps(const Slice &other) const {
    return space == other.space && offset < other.end() && other.offset < end();
  }
  friend bool operator==(const Slice &, const Slice &) = default;
};

struct Copy {
  Slice from;
  Place to;

  [[nodiscard]] Slice target() const { return {to.offset, from.length, to.space}; }
};

struct Transfer {
  static constexpr std::int64_t in_place = -1;

  int peer = 0;
  std::uint32_t count = 0;          // slices
  std::size_t first = 0;            // index of the first in Schedule::slices
  std::int64_t bytes = 0;           // their sum
  std::int64_t staging = in_place;  // offset in the staging space, or in_place
  Wire wire = Wire::packed;
  int free_from = 0;  // of a shared receive: the first step in which its places in scratch hold nothing else
  bool rests_at_sender = false;

  [[nodiscard]] bool staged() const { return staging != in_place; }
  [[nodiscard]] bool shared() const { return wire == Wire::shared; }
  // Whether a message of MPI must be staged because of its own slices. (One that need not may still be staged because
  // of the other messages of its step: rule 2.)
  [[nodiscard]] bool scattered() const { return count > 1 && wire == Wire::packed; }
};

struct Step {
  std::size_t first_send = 0;
  std::size_t sends = 0;
  std::size_t first_receive = 0;
  std::size_t receives = 0;
};

struct Schedule {
  int rank = 0;
  int ranks = 1;
  std::vector<Step> steps;  // as many as the route has, on all ranks; idle ones are empty
  std::vector<Transfer> sends;
  std::vector<Transfer> receives;
  std::vector<Slice> slices;
  std::vector<Copy> prologue;
  std::vector<Copy> meanwhile;
  std::vector<Copy> epilogue;
  std::int64_t scratch_bytes = 0;
  std::int64_t staging_bytes = 0;
  std::int64_t block_moves = 0;        // non-empty blocks sent
  bool rests_in_receive = false;       // the layout lets blocks rest in the receive space
  bool writers_reach_scratch = false;  // senders of shared messages write to scratch themselves
  bool steps_disjoint = false;         // no step receives into what it sends from, so that others may read at leisure

  [[nodiscard]] std::span<const Transfer> sends_of(const Step &step) const {
    return std::span(sends).subspan(step.first_send, step.sends);
  }
  [[nodiscard]] std::span<const Transfer> receives_of(const Step &step) const {
    return std::span(receives).subspan(step.first_receive, step.receives);
  }
  [[nodiscard]] bool any_shared() const;
  [[nodiscard]] std::span<const Slice> slices_of(const Transfer &transfer) const {
    return std::span(slices).subspan(transfer.first, transfer.count);
  }
  // Whether any slice of the message lies in the space.
  [[nodiscard]] bool touches(const Transfer &transfer, Space space) const {
    const auto of_message = slices_of(transfer);
    return std::any_of(of_message.begin(), of_message.end(), [&](const Slice &slice) { return slice.space == space; });
  }
};

// What one start of a schedule comes to, for this rank.
struct Totals {
  int steps = 0;                  // in which this rank sends or receives
  std::int64_t messages = 0;      // sent
  std::int64_t bytes = 0;         // in them
  std::int64_t copied_bytes = 0;  // by prologue, meanwhile and epilogue copies
};
Totals totals(const Schedule &schedule);

}  // namespace rondo::internal
