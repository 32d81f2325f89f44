#pragma once

// The memory that ranks of a node share for one plan: the areas of all of them, side by side in one region.
//
// Invariant: once the tables of the others are known, an offset of any rank's layout is an address here.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"
#include "wire/node_access.hpp"
#include "wire/node_tables.hpp"
#include "wire/shared_layout.hpp"

namespace rondo::internal {

// The region that is needed for areas of these lengths.
std::int64_t sum_of_areas(std::span<const std::int64_t> areas);

class SharedRegion {
 public:
  // A rank of the group, as this one sees it.
  struct Peer {
    int rank = -1;
    pid_t process = 0;
    std::int64_t area = 0;                    // offset in the region
    const NodeTables::Peer *table = nullptr;  // once it is known
  };

  // Local. `known` are the tables of an earlier plan of the same schedules: null where there is none.
  SharedRegion(SharedLayout layout, const NodeAccess &node, std::shared_ptr<const NodeTables> known = nullptr);

  // Learns how long the areas are. Collective over the node; throws on all its ranks where one comes with a fault.
  void learn_areas(NodeAccess &node) { node.gather(layout_.area_bytes(), area_bytes_); }
  [[nodiscard]] const std::vector<std::int64_t> &areas() const { return area_bytes_; }

  // Once the areas are known: takes the memory, and writes what the others need to know of this rank. send_base and
  // receive_base are where the schedule's spaces lie, but for one that the plan allocates. Collective over the node.
  // Throws Error (no_memory) on all its ranks when shared memory cannot be had.
  void open(NodeAccess &node, const std::byte *send_base, const std::byte *receive_base);
  // Once all ranks of the node have opened theirs, where nothing is known from an earlier plan: reads what the others
  // have written. Local.
  void read_tables();
  // Null until they are known.
  [[nodiscard]] const std::shared_ptr<const NodeTables> &tables() const { return tables_; }

  [[nodiscard]] const SharedLayout &layout() const { return layout_; }
  // Where the spaces lie that shared memory holds.
  [[nodiscard]] std::byte *scratch(int bank) const { return own_bank(bank) + layout_.offsets().scratch; }
  [[nodiscard]] std::byte *send_base() const { return area(own()) + layout_.offsets().send_buffer; }
  [[nodiscard]] std::byte *receive_base() const { return area(own()) + layout_.offsets().receive_buffer; }

  // Says where the spaces lie from now on, if the plan does not allocate them. To be called while the plan is inactive.
  // Local.
  void move_to(const std::byte *send_base, const std::byte *receive_base) const;

  // Tells the others that this rank has given up an exchange, so that they do not use what they read of its memory from
  // then on. A rank that has read data which the caller has written afterwards sees this, too, since SharedSteps looks
  // at it after each read.
  void withdraw() const;

  [[nodiscard]] std::span<const Peer> peers() const { return peers_; }
  [[nodiscard]] const Peer &own() const { return peers_[own_]; }
  [[nodiscard]] std::size_t place_of(int rank) const { return static_cast<std::size_t>(index_of_[rank]); }
  [[nodiscard]] const Peer &peer(int rank) const { return peers_[index_of_[rank]]; }
  [[nodiscard]] AreaHead &head(const Peer &peer) const { return *reinterpret_cast<AreaHead *>(area(peer)); }
  [[nodiscard]] Flag *flag(const Peer &peer, int bank, std::int64_t offset) const {
    return reinterpret_cast<Flag *>(bank_base(peer, bank) + offset);
  }
  // The arrival counter of a step. All ranks use the one in the first rank's area.
  [[nodiscard]] ArrivalCounter &arrival_counter(int bank, int step) const {
    return reinterpret_cast<ArrivalCounter *>(bank_base(peers_.front(), bank))[step];
  }
  // The address of a piece that lies in an area. Throws Error (internal) for one that lies in a process's own memory.
  [[nodiscard]] std::byte *address(const Peer &owner, int bank, const Piece &piece) const;

  // What the flag `come_to` of a rank is when it has come to a step of the schedule in a start, which is to say that
  // its messages of all steps before are complete. As the flag only grows, later steps and starts have larger marks.
  [[nodiscard]] std::uint64_t mark_of(std::uint64_t start, int step) const {
    return start * (layout_.table().full.size() + 1) + static_cast<std::uint64_t>(step);
  }
  // Whether a rank of the node waits for this one's marks.
  [[nodiscard]] bool marks_awaited() const;

  // Adds the ranks of the group that have not begun this start.
  void name_not_begun(std::uint64_t start, std::set<int> &ranks) const;

 private:
  void know(std::shared_ptr<const NodeTables> tables);
  void place_areas(NodeAccess &node);
  void write_area();
  void lower_flags(int bank) const;
  [[nodiscard]] std::byte *area(const Peer &peer) const { return lease_.data() + peer.area; }
  [[nodiscard]] std::byte *bank_base(const Peer &peer, int bank) const {
    return area(peer) + peer.table->offsets.bank(bank);
  }
  [[nodiscard]] std::byte *own_bank(int bank) const { return area(own()) + layout_.offsets().bank(bank); }

  SharedLayout layout_;
  std::vector<int> index_of_;  // by rank: its place in the group, -1 for others
  std::vector<Peer> peers_;    // by place in the group
  std::size_t own_ = 0;
  Lease lease_;
  std::vector<std::int64_t> area_bytes_;  // by local rank
  std::shared_ptr<const NodeTables> tables_;
};

}  // namespace rondo::internal
