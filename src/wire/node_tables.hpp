#pragma once

// What one rank knows of the shared areas of its group: where in them its own messages end. It is read once from what
// the others have written (wire/shared_table.hpp), and kept with the communicator, since plans of the same schedules
// have the same.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/bound_copy.hpp"
#include "wire/shared_table.hpp"

namespace rondo::internal {

class NodeTables {
 public:
  // Of one rank of the group: its ends of the messages that it exchanges with this one, in their order.
  struct Peer {
    AreaOffsets offsets{};
    bool reads_once = false;
    Range receives{};
    Range sends{};
  };

  // `areas` is how long the areas of the node's ranks are, by local rank; `full` what this rank's own table has.
  NodeTables(std::vector<std::int64_t> areas, std::vector<std::uint8_t> full, std::size_t group);

  // The next rank of the group, from what it has written into its area; `self` is this rank.
  void add(const AreaHead &head, const std::byte *table, int self);

  [[nodiscard]] const std::vector<std::int64_t> &areas() const { return areas_; }
  [[nodiscard]] const Peer &peer(std::size_t place) const { return peers_[place]; }
  [[nodiscard]] std::span<const SharedEnd> receives_of(const Peer &peer) const { return part(ends_, peer.receives); }
  [[nodiscard]] std::span<const SharedEnd> sends_of(const Peer &peer) const { return part(ends_, peer.sends); }
  [[nodiscard]] std::span<const Piece> pieces_of(const SharedEnd &end) const {
    return std::span(pieces_).subspan(end.first_piece, end.pieces);
  }
  // Whether in the step every rank of the group exchanges with every other (SharedTable::full).
  [[nodiscard]] bool all_arrive(std::size_t step) const { return full_[step] != 0; }

 private:
  Range keep(std::span<const SharedEnd> ends, const WrittenTable &of, int self);

  std::vector<std::int64_t> areas_;
  std::vector<std::uint8_t> full_;
  std::vector<Peer> peers_;  // by place in the group
  std::vector<SharedEnd> ends_;
  std::vector<Piece> pieces_;
};

}  // namespace rondo::internal
