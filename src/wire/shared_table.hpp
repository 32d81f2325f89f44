#pragma once

// What lies in a rank's shared area (wire/shared_layout.hpp says where and why), in the form in which the ranks of a
// node tell each other once, at init: the head of the area, and behind it a table of the ends of messages.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/bell.hpp"
#include "wire/copy.hpp"
#include "wire/flag.hpp"

namespace rondo::internal {

// A pushed message of two cuts or more is cut. One that fits in the cache of a core twice.
constexpr std::int64_t cut_bytes = 32768;

// What an offset of a piece counts from: something in the owner's area, or the send or receive space where it lies in
// the owner's process only.
enum class Base : std::int64_t { bank, scratch, send_buffer, receive_buffer, process_send, process_receive };

// A run of bytes that a message is written to, or pulled from.
struct Piece {
  Base base;
  std::int64_t offset;  // bytes
  std::int64_t length;
};

// This rank's end of a shared message. A receive has flags, and the pieces that a pushed message is written to; a send
// has, when it is pulled, an acknowledgement, and when it may be taken out of the sender's memory, the pieces there.
struct SharedEnd {
  std::int32_t step;
  std::int32_t
      free_from;      // of a receive: the step which its rank must have come to before this may be written; 0: none
  std::int64_t peer;  // rank of the communicator
  std::int64_t bytes;
  std::int64_t flag;  // offset in the bank: the first ready flag of a receive, the acknowledgement of a pulled send
  std::int64_t first_piece;
  std::int32_t pieces;
  std::int32_t is_tray;  // 1: of a receive, whose inbox is all in the bank and has room for the message the other way
};

// What offsets in an area count from.
struct AreaOffsets {
  std::int64_t banks = 0;        // from the area: the first of them
  std::int64_t bank_bytes = 0;   // from each to the next
  std::int64_t scratch = 0;      // from a bank
  std::int64_t send_buffer = 0;  // from the area: what the schedule's send space counts from, if the plan allocates it
  std::int64_t receive_buffer = 0;

  [[nodiscard]] std::int64_t bank(int which) const { return banks + which * bank_bytes; }
};

// Where the send and the receive space lie in the process of the rank that they belong to, as the others of its node
// see it. It changes only while none of them reads (RONDO_Rebind of an inactive plan).
struct ProcessBases {
  std::atomic<std::intptr_t> send;
  std::atomic<std::intptr_t> receive;
  std::atomic<int> withdrawn;  // 1: the rank has given up an exchange, and its memory may hold anything
};

// The first thing in an area.
struct AreaHead {
  alignas(cache_line) Flag last_begun;  // the start that this rank has begun last: credit for those who write to it
  Flag come_to;                         // and the step that it has come to, see SharedRegion::mark_of
  alignas(cache_line) Bell bell;
  alignas(cache_line) std::int64_t receives;
  std::int64_t sends;
  std::int64_t pieces;
  std::int64_t steps;
  AreaOffsets offsets;
  std::int64_t reads_once;  // SharedLayout::reads_once of the owner
  ProcessBases process;
};

// What takes the place of flags in a step in which every rank of the node sends to every other: each rank adds one when
// its messages are written, and all wait for the sum. The bell wakes those that sleep meanwhile.
struct alignas(cache_line) ArrivalCounter {
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

  [[nodiscard]] std::span<const Piece> pieces_of(const SharedEnd &end) const {
    return std::span(pieces).subspan(end.first_piece, end.pieces);
  }
};

// A table where its rank has written it, as long as the area is there.
struct WrittenTable {
  std::span<const SharedEnd> receives;
  std::span<const SharedEnd> sends;
  std::span<const Piece> pieces;
  std::span<const std::uint8_t> full;

  WrittenTable(const std::byte *from, const AreaHead &head);

  [[nodiscard]] std::span<const Piece> pieces_of(const SharedEnd &end) const {
    return pieces.subspan(end.first_piece, end.pieces);
  }
};

}  // namespace rondo::internal
