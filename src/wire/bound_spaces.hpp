#pragma once

#include <vector>

#include "schedule/schedule.hpp"
#include "wire/bound_copy.hpp"
#include "wire/typed_space.hpp"

namespace rondo::internal {

// A run of bytes in this process.
struct Run {
  std::byte *address;
  std::int64_t length;
  bool in_scratch;
};

// Where the spaces of a schedule lie for one plan.
struct BoundSpaces {
  const std::byte *send = nullptr;
  std::byte *receive = nullptr;
  std::byte *scratch = nullptr;
  std::byte *staging = nullptr;
  // On the datatype wire, the caller's elements in the place of an address.
  const TypedSpace *typed_send = nullptr;
  const TypedSpace *typed_receive = nullptr;
  // Whether a copy that reads scratch takes the cache lines, too: scratch is memory that ranks share, and no other copy
  // or message reads the same bytes.
  bool takes_from_scratch = false;
  // Of the datatypes of messages.
  Entries entries = {};

  [[nodiscard]] std::byte *address(Space space, std::int64_t offset) const;
  [[nodiscard]] const TypedSpace *typed(Space space) const;
  [[nodiscard]] BoundCopy copy(const Slice &from, std::byte *to) const;
  // Where the bytes of a message lie, in order: in staging for a staged message, else in its slices. For messages that
  // have no slice in a typed space. They take the place of what is in `runs`.
  void resolve(const Schedule &schedule, const Transfer &transfer, std::vector<Run> &runs) const;
  // The same as pieces that MPI can send or receive, for messages in any space. Throws Error (internal) when a slice of
  // a typed space ends inside a block.
  [[nodiscard]] std::vector<TypedPiece> pieces_of(const Schedule &schedule, const Transfer &transfer) const;
  [[nodiscard]] std::vector<TypedPiece> pieces_of(const Slice &slice) const;
};

}  // namespace rondo::internal
