#include "wire/bound_spaces.hpp"

namespace rondo::internal {

namespace {

// What stands for the caller's data in a space; null for scratch.
template <class Kind>
const Kind *of(Space space, const Kind *send, const Kind *receive) {
  switch (space) {
    case Space::send: return send;
    case Space::receive: return receive;
    case Space::scratch: break;
  }
  return nullptr;
}

Home home_of(Space space) {
  switch (space) {
    case Space::send: return Home::send;
    case Space::receive: return Home::receive;
    case Space::scratch: break;
  }
  return Home::scratch;
}

}  // namespace

std::byte *BoundSpaces::address(const Slice &slice) const {
  switch (slice.space) {
    case Space::receive: return receive + slice.offset;
    case Space::scratch: return scratch + slice.offset;
    case Space::send: break;
  }
  return const_cast<std::byte *>(send) + slice.offset;  // read only: rule 3 of schedule.hpp
}

const TypedSpace *BoundSpaces::typed(Space space) const {
  return of(space, typed_send, typed_receive);
}

void BoundSpaces::resolve(const Slice &slice, std::vector<Run> &runs) const {
  if (const RunSpace *space = of(slice.space, run_send, run_receive))
    return space->resolve(slice, home_of(slice.space), runs);
  runs.push_back({address(slice), slice.length, home_of(slice.space)});
}

void BoundSpaces::resolve(const Schedule &schedule, const Transfer &transfer, std::vector<Run> &runs) const {
  runs.clear();
  if (transfer.staged()) {
    runs.push_back({staging + transfer.staging, transfer.bytes, Home::plan});
    return;
  }
  for (const Slice &slice : schedule.slices_of(transfer)) resolve(slice, runs);
}

std::vector<TypedPiece> BoundSpaces::pieces_of(const Slice &slice) const {
  std::vector<TypedPiece> pieces;
  if (const TypedSpace *space = typed(slice.space)) {
    space->resolve(slice, pieces);
    return pieces;
  }
  std::vector<Run> runs;
  resolve(slice, runs);
  for (const Run &run : runs) pieces.push_back({run.address, run.length, MPI_BYTE});
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
