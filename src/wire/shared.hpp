#pragma once

// The shared-memory wire: how messages travel between ranks of a node.
//
// A message is pushed: the sender copies it to where the receiver looks for it, straight into scratch if it rests
// there (one copy), else into the receiver's room for it, from where it is copied on (two); then it raises the
// message's flag with the number of the start. A large message is cut, with a flag for each cut, so that the receiver
// copies one cut on while the sender writes the next. Large messages are pulled where that is better (SharedGroup): the
// sender only raises the flag, and the receiver takes the data out of the sender's memory, which is mapped (buffers
// that the plan allocated) or attached (wire/attach.hpp), and acknowledges. Whoever copies out of shared memory takes
// the cache lines, too, for the next who writes there (wire/copy.hpp).
//
// Flags hold the number of the start, so nothing is ever reset, and areas have two halves for starts by turns. A
// sender may write to a half of b when b has completed the start two before, and so when b has begun the one
// before. It knows that of every b from which it received anything then; for the others it looks at b's `begun`.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"
#include "schedule/schedule.hpp"
#include "wire/bound.hpp"
#include "wire/node_access.hpp"
#include "wire/shared_table.hpp"

namespace rondo::internal {

// Who shares memory with this rank, and how: the same on all ranks of the node.
struct SharedGroup {
  std::vector<int> members;    // ranks of the communicator, this one too, ascending
  bool pull_attached = false;  // large messages are pulled by attaching
  bool pull_mapped = false;    // all memory that messages are sent from is mapped: large messages are pulled from there
};

// A run of bytes in this process.
struct Run {
  std::byte *address;
  std::int64_t length;
  bool in_scratch;
};

// The buffers that the plan allocates for the caller, as far as it does: which bytes of the send and of the receive
// space there are.
struct OwnBuffers {
  std::optional<Extent> send{};
  std::optional<Extent> receive{};
};

class SharedWire {
 public:
  // Local. What is collective is in `meet`, so that ranks can agree in between on whether all have had the memory.
  SharedWire(const Schedule &schedule, const NodeAccess &node, SharedGroup group, const OwnBuffers &buffers);

  // Collective over the node. Throws Error (no_memory) on all ranks of the node when shared memory cannot be had, and
  // last, when nobody waits for it any more, on one that has no memory for what the others tell it. send_base and
  // receive_base are where the schedule's spaces lie, but for one that the plan allocates.
  void meet(NodeAccess &node, const std::byte *send_base, const std::byte *receive_base);

  [[nodiscard]] std::byte *scratch(int half) const { return half_base(own_, half) + scratch_offset_; }
  // Where the spaces lie that the plan allocates.
  [[nodiscard]] std::byte *send_base() const { return area(own_) + head(own_).send_buffer; }
  [[nodiscard]] std::byte *receive_base() const { return area(own_) + head(own_).receive_buffer; }

  // Whether others read this space in the memory of this process.
  [[nodiscard]] bool others_read(Base space) const;

  // Where the spaces lie from now on, as far as the plan does not allocate them. While no start is active. Local.
  void move_to(const std::byte *send_base, const std::byte *receive_base) const;

  // Tells the others that this rank has given up an exchange: what they take out of its memory from then on is nothing.
  // Who reads there what the caller writes afterwards sees that too (Plan::withdrawn is the other half of it).
  void withdraw() const {
    head(own_).process.withdrawn.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
  }

  // Flags of receivers that must have begun the start before, for this rank to write for the next but one.
  [[nodiscard]] std::vector<const Flag *> gates(const Schedule &schedule) const;
  [[nodiscard]] Flag &begun() const { return head(own_).begun; }
  // The ranks of the group that have not begun this start.
  [[nodiscard]] std::vector<int> not_begun(std::uint64_t start) const;
  [[nodiscard]] Bell &bell() const { return head(own_).bell; }
  // Whether no two messages or copies of this rank's read the same byte, so that a reader may take its line.
  [[nodiscard]] bool reads_once() const { return reads_once_; }

  // Adds what one message of a step needs to a schedule that is being bound for one half. `runs` are its slices in
  // this process; k counts this step's shared messages with the same peer, before. The step's copies begin with
  // `first_copy`. Throws Error (mismatch) when the other end expects another size.
  void bind_send(int step, const Transfer &send, int k, std::span<const Run> runs, int half, BoundSchedule &bound,
                 std::size_t first_copy) const;
  void bind_arrival(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                    BoundSchedule &bound) const;
  // The copies that a received message needs after its step is complete.
  void bind_unloading(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                      BoundSchedule &bound) const;
  // The index of the step's gathering, which replaces flags, or -1.
  int bind_gathering(int step, int half, BoundSchedule &bound) const;

 private:
  struct Peer {
    std::int64_t area = 0;  // offset in the region
    SharedTable table;
    EndIndex receives;
    EndIndex sends;
  };

  void plan_area(const Schedule &schedule);
  void plan_receive(const Schedule &schedule, int step, const Transfer &receive);
  void plan_send(const Schedule &schedule, int step, const Transfer &send);
  [[nodiscard]] Piece source(const Slice &slice) const;
  void place_areas(NodeAccess &node);
  void write_area(std::int64_t first_half, const AreaHead &head);
  void read_tables();
  void lower_flags(std::byte *half) const;
  // A message of so many bytes.
  [[nodiscard]] bool pulled(std::int64_t bytes) const;
  [[nodiscard]] int cuts(std::int64_t bytes) const;
  void bind_cuts(const Transfer &receive, const SharedEnd &end, std::span<const Run> runs, int half,
                 BoundSchedule &bound) const;
  [[nodiscard]] bool gathers(int step) const;
  [[nodiscard]] static bool lies_with_flag(const Peer &receiver, const SharedEnd &end);
  [[nodiscard]] std::byte *area(const Peer &peer) const { return lease_.data() + peer.area; }
  [[nodiscard]] AreaHead &head(const Peer &peer) const { return *reinterpret_cast<AreaHead *>(area(peer)); }
  [[nodiscard]] std::byte *half_base(const Peer &peer, int half) const {
    return area(peer) + head(peer).half_offset[half];
  }
  [[nodiscard]] Flag *flag(const Peer &peer, int half, std::int64_t offset) const {
    return reinterpret_cast<Flag *>(half_base(peer, half) + offset);
  }
  [[nodiscard]] const Peer &peer(int rank) const {
    return peers_[static_cast<std::size_t>(index_of_[static_cast<std::size_t>(rank)])];
  }
  [[nodiscard]] std::byte *address(const Peer &owner, int half, const Piece &piece) const;

  SharedGroup group_;
  OwnBuffers buffers_;
  bool apart_;  // the schedule is
  bool reads_once_;
  int rank_;
  std::vector<int> index_of_;  // by rank: its place in the group, -1 for others
  std::vector<Peer> peers_;    // by place in the group
  Peer own_;
  Lease lease_;
  std::vector<pid_t> processes_;          // by place in the group
  std::vector<std::int64_t> area_bytes_;  // by local rank
  int gatherings_ = 0;                    // of each half, at its begin
  std::int64_t half_bytes_ = 0;
  std::int64_t scratch_offset_ = 0;  // in a half
};

}  // namespace rondo::internal
