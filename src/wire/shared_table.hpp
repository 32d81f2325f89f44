#pragma once

// What the ranks of a node tell each other, once at init, of where shared messages go.
//
// Each rank has an area in the plan's region: its bell and `begun` flag, this table, and two halves of the same
// form, used by odd and even starts in turn, so that a sender can write for one start while the receiver is still
// busy with the one before. In a half lie the rank's gatherings, for each incoming message a flag and room for what
// does not go straight to scratch, acknowledgements for outgoing pulled messages, and scratch.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "wire/bell.hpp"
#include "wire/bound.hpp"

namespace rondo {

// Which memory an offset of a piece counts from.
enum class Base : std::int64_t { half, region, process };

// A run of bytes that a message is written to, or pulled from.
struct Piece {
  Base base;
  std::int64_t offset;  // from the owner's half, from the region, or an address in the owner's process
  std::int64_t length;
};

// The end of a shared message that this rank owns: of a pushed message the receiver's, of a pulled one both.
struct SharedEnd {
  std::int64_t step;
  std::int64_t peer;  // rank of the communicator
  std::int64_t bytes;
  std::int64_t flag;  // offset in the half: the ready flag of a receive, the acknowledgement of a pulled send
  std::int64_t first_piece;
  std::int64_t pieces;
};

// The first thing in an area.
struct AreaHead {
  alignas(64) Flag begun;  // the start that this rank has begun last
  alignas(64) Bell bell;
  alignas(64) std::int64_t receives;
  std::int64_t pulled_sends;
  std::int64_t pieces;
  std::int64_t steps;
  std::int64_t half_offset[2];  // from the area
};

struct SharedTable {
  std::vector<SharedEnd> receives;
  std::vector<SharedEnd> pulled_sends;
  std::vector<Piece> pieces;
  std::vector<std::uint8_t> full;  // by step: this rank exchanges with every other of its group, and pulls nothing

  [[nodiscard]] std::int64_t bytes() const;
  void write(std::byte *to, AreaHead &head) const;
  static SharedTable read(const std::byte *from, const AreaHead &head);

  [[nodiscard]] std::span<const Piece> pieces_of(const SharedEnd &end) const {
    return std::span(pieces).subspan(static_cast<std::size_t>(end.first_piece), static_cast<std::size_t>(end.pieces));
  }
};

// Finds the k-th end with a peer in a step: messages between two ranks match in order.
class EndIndex {
 public:
  explicit EndIndex(std::span<const SharedEnd> ends);
  [[nodiscard]] const SharedEnd &find(int step, int peer, int k) const;

 private:
  std::map<std::tuple<std::int64_t, std::int64_t, int>, const SharedEnd *> ends_;
};

}  // namespace rondo
