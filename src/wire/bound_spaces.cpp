#include "wire/bound_spaces.hpp"

namespace rondo::internal {

std::byte *BoundSpaces::address(Space space, std::int64_t offset) const {
  switch (space) {
    case Space::receive: return receive + offset;
    case Space::scratch: return scratch + offset;
    case Space::send: break;
  }
  return const_cast<std::byte *>(send) + offset;  // read only: rule 3 of schedule.hpp
}

const TypedSpace *BoundSpaces::typed(Space space) const {
  switch (space) {
    case Space::send: return typed_send;
    case Space::receive: return typed_receive;
    case Space::scratch: break;
  }
  return nullptr;
}

BoundCopy BoundSpaces::copy(const Slice &from, std::byte *to) const {
  const bool takes = takes_from_scratch && from.space == Space::scratch;
  return {address(from.space, from.offset), to, static_cast<std::size_t>(from.length), takes};
}

void BoundSpaces::resolve(const Schedule &schedule, const Transfer &transfer, std::vector<Run> &runs) const {
  runs.clear();
  if (transfer.staged()) {
    runs.push_back({staging + transfer.staging, transfer.bytes, false});
    return;
  }
  for (const Slice &slice : schedule.slices_of(transfer)) {
    runs.push_back({address(slice.space, slice.offset), slice.length, slice.space == Space::scratch});
  }
}

std::vector<TypedPiece> BoundSpaces::pieces_of(const Slice &slice) const {
  std::vector<TypedPiece> pieces;
  if (const TypedSpace *space = typed(slice.space)) {
    space->resolve(slice, pieces);
  } else {
    pieces.push_back({address(slice.space, slice.offset), slice.length, MPI_BYTE});
  }
  return pieces;
}

std::vector<TypedPiece> BoundSpaces::pieces_of(const Schedule &schedule, const Transfer &transfer) const {
  if (transfer.staged()) return {{staging + transfer.staging, transfer.bytes, MPI_BYTE}};
  std::vector<TypedPiece> pieces;
  for (const Slice &slice : schedule.slices_of(transfer)) {
    const std::vector<TypedPiece> more = pieces_of(slice);
    pieces.insert(pieces.end(), more.begin(), more.end());
  }
  return pieces;
}

}  // namespace rondo::internal
