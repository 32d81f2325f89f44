#pragma once

#include <vector>

#include "schedule/schedule.hpp"
#include "wire/bound_copy.hpp"
#include "wire/run_space.hpp"
#include "wire/typed_space.hpp"

namespace rondo::internal {

// Where the spaces of a schedule lie for one plan.
struct BoundSpaces {
  const std::byte *send = nullptr;
  std::byte *receive = nullptr;
  std::byte *scratch = nullptr;
  std::byte *staging = nullptr;
  // On the datatype wire, the caller's elements in the place of an address.
  const TypedSpace *typed_send = nullptr;
  const TypedSpace *typed_receive = nullptr;
  // Likewise, as runs of bytes.
  const RunSpace *run_send = nullptr;
  const RunSpace *run_receive = nullptr;
  // Whether a copy that reads scratch takes the cache lines, too: scratch is memory that ranks share, and no other copy
  // or message reads the same bytes.
  bool takes_from_scratch = false;
  // Of the datatypes of messages.
  Entries entries = {};

  [[nodiscard]] const TypedSpace *typed(Space space) const;
  // Adds the runs of a slice that does not lie in a typed space.
  void resolve(const Slice &slice, std::vector<Run> &runs) const;
  // Where the bytes of a message lie, in order: in staging for a staged message, else in its slices. For messages that
  // have no slice in a typed space. They take the place of what is in `runs`.
  void resolve(const Schedule &schedule, const Transfer &transfer, std::vector<Run> &runs) const;
  // Whether a copy that reads the run takes the cache lines, too.
  [[nodiscard]] bool takes_from(const Run &run) const { return takes_from_scratch && run.home == Home::scratch; }
  // The same as pieces that MPI can send or receive, for messages in any space. Throws Error (internal) when a slice of
  // a typed space ends inside a block.
  [[nodiscard]] std::vector<TypedPiece> pieces_of(const Schedule &schedule, const Transfer &transfer) const;
  [[nodiscard]] std::vector<TypedPiece> pieces_of(const Slice &slice) const;

 private:
  [[nodiscard]] std::byte *address(const Slice &slice) const;
};

}  // namespace rondo::internal
