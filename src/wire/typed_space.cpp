#include "wire/typed_space.hpp"

#include <algorithm>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

bool any_in(std::span<const Copy> copies, Space space) {
  return std::any_of(copies.begin(), copies.end(),
                     [&](const Copy &copy) { return copy.from.space == space || copy.to.space == space; });
}

bool any_staged_in(const Schedule &schedule, std::span<const Transfer> transfers, Space space) {
  return std::any_of(transfers.begin(), transfers.end(),
                     [&](const Transfer &transfer) { return transfer.staged() && schedule.touches(transfer, space); });
}

// Whether a slice begins or ends inside a block, as segments of an all-gather may.
bool any_cuts(const Schedule &schedule, Space space, const Side &side) {
  std::vector<std::int64_t> bounds{0};
  for_each_packed_part(side,
                       [&](const Part &part, std::int64_t offset) { bounds.push_back(offset + side.bytes(part)); });
  const auto is_bound = [&](std::int64_t offset) { return std::binary_search(bounds.begin(), bounds.end(), offset); };
  return std::any_of(schedule.slices.begin(), schedule.slices.end(), [&](const Slice &slice) {
    return slice.space == space && (!is_bound(slice.offset) || !is_bound(slice.end()));
  });
}

}  // namespace

TypedSpace::TypedSpace(const Side &side) : buffer_(static_cast<std::byte *>(side.buffer)), types_(hold_types(side)) {
  for_each_packed_part(side, [&](const Part &part, std::int64_t offset) {
    const MPI_Datatype type = types_[part.type].type();
    parts_.push_back({offset, side.bytes(part), {side.address(part), part.count, type}});
  });
}

void TypedSpace::move_to(std::byte *buffer) {
  for (Placed &part : parts_) part.piece.address = buffer + (part.piece.address - buffer_);
  buffer_ = buffer;
}

bool TypedSpace::serves(const Schedule &schedule, Space space, const Side &side) {
  return !any_in(schedule.prologue, space) && !any_in(schedule.epilogue, space) &&
         !any_staged_in(schedule, schedule.sends, space) && !any_staged_in(schedule, schedule.receives, space) &&
         !any_cuts(schedule, space, side);
}

void TypedSpace::resolve(const Slice &slice, std::vector<TypedPiece> &pieces) const {
  auto part = std::lower_bound(parts_.begin(), parts_.end(), slice.offset,
                               [](const Placed &placed, std::int64_t offset) { return placed.offset < offset; });
  std::int64_t at = slice.offset;
  for (; at < slice.end() && part != parts_.end() && part->offset == at; ++part) {
    pieces.push_back(part->piece);
    at += part->bytes;
  }
  if (at != slice.end()) throw Error(Fault::internal, "a message of the datatype wire cuts a block");
}

}  // namespace rondo::internal
