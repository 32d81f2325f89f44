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
  // Instead of an address, on the datatype wire.
  const TypedSpace *typed_send = nullptr;
  const TypedSpace *typed_receive = nullptr;
  // Scratch is memory that ranks share, and nobody else reads what a copy reads there.
  bool takes_from_scratch = false;

  [[nodiscard]] std::byte *address(Space space, std::int64_t offset) const;
  [[nodiscard]] const TypedSpace *typed(Space space) const;
  [[nodiscard]] BoundCopy copy(const Slice &from, std::byte *to) const;
  // The bytes of a message in their order: of a staged one, where it is staged. Not of one in a typed space.
  [[nodiscard]] std::vector<Run> runs_of(const Schedule &schedule, const Transfer &transfer) const;
  // The same as MPI takes them, in any space. Throws Error (internal) when a block of a typed space is cut.
  [[nodiscard]] std::vector<TypedPiece> pieces_of(const Schedule &schedule, const Transfer &transfer) const;
  [[nodiscard]] std::vector<TypedPiece> pieces_of(const Slice &slice) const;
};

}  // namespace rondo::internal
