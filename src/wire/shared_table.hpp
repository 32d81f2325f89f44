#pragma once

// What the ranks of a node tell each other, once at init, of where shared messages go.
//
// Each rank has an area in the plan's region: its bell and `begun` flag, this table, and two halves of the same
// form, used by odd and even starts in turn, so that a sender can write for one start while the receiver is still
// busy with the one before. Flags and rooms are apart by cache lines, so that ranks do not take them from each other.
// In a half lie the rank's gatherings, for each incoming message its flags and room for what does not go straight to
// scratch, acknowledgements for outgoing pulled messages, and scratch. Behind the halves lie the buffers that the plan
// allocates for the caller.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/bell.hpp"
#include "wire/bound.hpp"

namespace rondo::internal {

// A pushed message of two cuts or more is cut. One that fits in the cache of a core twice.
constexpr std::int64_t cut_bytes = 32768;

// What an offset of a piece counts from: something in the owner's area, or the send or receive space where it lies in
// the owner's process only.
enum class Base : std::int64_t { half, scratch, send_buffer, receive_buffer, process_send, process_receive };

// A run of bytes that a message is written to, or pulled from.
struct Piece {
  Base base;
  std::int64_t offset;  // bytes
  std::int64_t length;
};

// This rank's end of a shared message. A receive has flags, and the pieces that a pushed message is written to; a send
// has, when it is pulled, an acknowledgement and the pieces that it is taken from.
struct SharedEnd {
  std::int64_t step;
  std::int64_t peer;  // rank of the communicator
  std::int64_t bytes;
  std::int64_t flag;  // offset in the half: the first ready flag of a receive, the acknowledgement of a pulled send
  std::int64_t first_piece;
  std::int64_t pieces;
};

// The first thing in an area.
struct AreaHead {
  alignas(cache_line) Flag begun;  // the start that this rank has begun last
  alignas(cache_line) Bell bell;
  alignas(cache_line) std::int64_t receives;
  std::int64_t sends;
  std::int64_t pieces;
  std::int64_t steps;
  std::int64_t half_offset[2];  // from the area
  std::int64_t scratch_offset;  // from a half
  std::int64_t send_buffer;     // from the area: what the schedule's send space counts from, if the plan allocates it
  std::int64_t receive_buffer;
  std::int64_t reads_once;  // SharedWire::reads_once of the owner
  ProcessBases process;     // where the spaces lie in the owner's process
};

// The gathering of a step, at the head of a half: its sum, and the bell of those who sleep for it.
struct alignas(cache_line) GatheringLine {
  Flag arrived;
  Bell bell;
};

struct SharedTable {
  std::vector<SharedEnd> receives;
  std::vector<SharedEnd> sends;
  std::vector<Piece> pieces;
  std::vector<std::uint8_t> full;  // by step: this rank exchanges with every other of its group, uncut and unpulled

  [[nodiscard]] std::int64_t bytes() const;
  void write(std::byte *to, AreaHead &head) const;
  static SharedTable read(const std::byte *from, const AreaHead &head);

  [[nodiscard]] std::span<const Piece> pieces_of(const SharedEnd &end) const {
    return std::span(pieces).subspan(static_cast<std::size_t>(end.first_piece), static_cast<std::size_t>(end.pieces));
  }
};

// Finds the k-th end with a peer in a step, or null: messages between two ranks match in order.
class EndIndex {
 public:
  EndIndex() = default;
  explicit EndIndex(std::span<const SharedEnd> ends);
  [[nodiscard]] const SharedEnd *find(int step, int peer, int k) const;

 private:
  std::vector<const SharedEnd *> ends_;  // by step and peer
};

}  // namespace rondo::internal
