#pragma once

// Which message lies where in a rank's shared area: offsets only. It is worked out by each rank alone, from its
// schedule (tests/wire/shared_layout.cpp), before there is any shared memory.
//
// An area has a head, the table of what lies in it, two or more banks of the same form, and the buffers that the plan
// allocates for the caller. Starts use the banks in turn, so that a sender can write for one start while the receiver
// is still busy with the one before. In a bank lie
//
//   - for each step an arrival counter, which replaces flags in a step in which all ranks of the node exchange;
//   - for each incoming message its flags, and its inbox: room for what does not go straight to scratch, or for the
//     message the other way if that is longer and both may share it (a tray, wire/shared_steps.hpp);
//   - for each outgoing message that is pulled or passes through a ring, the flag by which the receiver acknowledges
//   it;
//   - scratch.
//
// Invariant: no two of these overlap, and each message has its flags and its inbox on cache lines of its own; a short
// message lies on that of its flag.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"
#include "schedule/schedule.hpp"
#include "wire/copy.hpp"
#include "wire/ring_end.hpp"
#include "wire/run_space.hpp"
#include "wire/shared_table.hpp"

namespace rondo::internal {

// Who shares memory with this rank, and how: the same on all ranks of the node.
struct SharedGroup {
  std::vector<int> members;    // ranks of the communicator, this one too, ascending
  bool pull_attached = false;  // large messages are pulled by attaching
  bool pull_mapped = false;    // all memory that messages are sent from is mapped: large messages are pulled from there
  std::int64_t least_pulled = 65536;       // bytes; where ranks take turns on a core, or attach, 16 KiB
  std::int64_t least_at_rest = 1024;       // bytes of a message that is taken where it rests, if all ranks meet
  std::int64_t least_in_tray = 192;        // bytes of the shorter of two messages that share a place
  std::int64_t most_in_inbox = INT64_MAX;  // bytes: a longer message passes through a ring of cuts
  int banks = 2;                           // of each area
};

// How many bytes a rank may receive in one start before the memory for them is bounded: by pulling, or by rings. Its
// inboxes stay in the caches then, and attaching costs more than the second copy (docs/performance.md); on a node of
// many ranks a plan has 32 MiB for the two banks of all.
std::int64_t most_in_inboxes(int ranks_of_node);
// As much as one message may have of it.
std::int64_t most_in_inbox(int ranks_of_node);

// How many starts have a bank of their own, where no rank sends or receives more than `most_moved` bytes in one. A rank
// that also receives waits for others in each start, so that two banks are all that it can use. Where each rank only
// sends or only receives (`one_way`) and ranks take turns on a core, more banks spare them a change of turns in each
// start: as many as the caches hold.
int banks_for(bool one_way, std::int64_t turns, std::int64_t most_moved, int ranks_of_node);

// The buffers that the plan allocates for the caller, as far as others are to read them: their bytes, counted from
// where the send and the receive space begin, or, of a side whose blocks have gaps, from its buffer.
struct PlanBuffers {
  std::optional<Extent> send{};
  std::optional<Extent> receive{};
};

class SharedLayout {
 public:
  // `sent` is where the send space lies in the buffer that the plan allocates for it, if its blocks have gaps there.
  SharedLayout(const Schedule &schedule, SharedGroup group, const PlanBuffers &buffers, const RunSpace *sent = nullptr);

  [[nodiscard]] const SharedGroup &group() const { return group_; }
  [[nodiscard]] const PlanBuffers &buffers() const { return buffers_; }
  [[nodiscard]] const SharedTable &table() const { return table_; }
  [[nodiscard]] const AreaOffsets &offsets() const { return offsets_; }
  [[nodiscard]] std::int64_t area_bytes() const { return area_bytes_; }
  [[nodiscard]] int banks() const { return group_.banks; }
  [[nodiscard]] std::int64_t bank_bytes() const { return offsets_.bank_bytes; }
  [[nodiscard]] int arrival_counters() const { return arrival_counters_; }
  // Whether no two messages or copies of this rank's read the same byte, so that a reader may take its line.
  [[nodiscard]] bool reads_once() const { return reads_once_; }

  // Whether the receiver of a message of this many bytes takes it out of the sender's memory; and if not, into how many
  // cuts it is divided. The same at both ends.
  [[nodiscard]] bool pulled(std::int64_t bytes) const;
  [[nodiscard]] int cuts(std::int64_t bytes) const;
  // Whether the receiver takes a message out of the sender's scratch where all ranks meet (SharedSteps). Whether they
  // do is not known yet, so that it has an inbox as well. The same at both ends.
  [[nodiscard]] bool taken_at_rest(const Transfer &message) const {
    return message.rests_at_sender && message.bytes >= group_.least_at_rest;
  }
  // How it passes through a ring, if it does. The same at both ends.
  [[nodiscard]] std::optional<RingShape> ring(std::int64_t bytes) const;
  // The flags that the end of a message has here, from its first one on, a cache line apart.
  [[nodiscard]] int flags_of_receive(std::int64_t bytes) const {
    return pulled(bytes) || ring(bytes) ? 1 : cuts(bytes);
  }
  [[nodiscard]] int flags_of_send(std::int64_t bytes) const { return pulled(bytes) || ring(bytes) ? 1 : 0; }

  // Whether this rank may take messages out of other processes' memory, which is read piece by piece.
  [[nodiscard]] bool reads_others() const;
  // Whether others read this space in the memory of this process.
  [[nodiscard]] bool others_read(Base space) const;

 private:
  void find_trays(const Schedule &schedule);
  [[nodiscard]] std::size_t place_of(std::int64_t rank) const;
  void place_messages(const Schedule &schedule, const RunSpace *sent);
  void place_receive(const Schedule &schedule, int step, const Transfer &receive);
  void place_inbox(const Schedule &schedule, const Transfer &receive, SharedEnd &end);
  void place_send(const Schedule &schedule, int step, const Transfer &send, const RunSpace *sent);
  void place_area(std::int64_t scratch_bytes);
  [[nodiscard]] bool counts_as_arrival(const Transfer &message) const {
    return !pulled(message.bytes) && cuts(message.bytes) == 1 && !taken_at_rest(message);
  }
  [[nodiscard]] bool goes_by_inbox(const Transfer &message) const {
    return !pulled(message.bytes) && !ring(message.bytes) && !taken_at_rest(message);
  }
  [[nodiscard]] Piece source(const Slice &slice) const;

  SharedGroup group_;
  PlanBuffers buffers_;
  bool steps_disjoint_;  // the schedule is
  bool reads_once_;
  std::vector<std::int64_t> tray_bytes_;  // by place in the group: 0 for none
  SharedTable table_;
  AreaOffsets offsets_;       // of a bank the bytes so far, while messages are placed
  int arrival_counters_ = 0;  // of each bank, at its begin
  std::int64_t area_bytes_ = 0;
};

}  // namespace rondo::internal
