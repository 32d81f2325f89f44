#include "wire/run_space.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

// Whether copies of runs take less time than a packed image, which is copied once more.
bool has_runs_worth_copying(const Side &side) {
  std::int64_t bytes = 0;
  std::int64_t runs = 0;
  for (const Part &part : side.parts) {
    const SideType &used = side.types[part.type];
    if (side.bytes(part) == 0) continue;
    if (!used.shape.dense && !used.runs) return false;
    bytes += side.bytes(part);
    runs += used.shape.dense ? 1 : part.count * std::ssize(*used.runs);
  }
  return worth_copying(runs, bytes);
}

// Whether a message of MPI is sent from the space, or received there, as it lies.
bool any_message_in(const Schedule &schedule, std::span<const Transfer> transfers, Space space) {
  return std::any_of(transfers.begin(), transfers.end(), [&](const Transfer &transfer) {
    return !transfer.shared() && !transfer.staged() && schedule.touches(transfer, space);
  });
}

void append(std::byte *address, std::int64_t bytes, Home home, std::vector<Run> &runs) {
  if (!runs.empty() && runs.back().home == home && runs.back().address + runs.back().length == address) {
    runs.back().length += bytes;
  } else {
    runs.push_back({address, bytes, home});
  }
}

}  // namespace

RunSpace::RunSpace(const Side &side) : buffer_(static_cast<std::byte *>(side.buffer)) {
  for (const SideType &used : side.types) {
    types_.push_back({used.shape.size, used.shape.extent, used.runs});
  }
  for_each_packed_part(side, [&](const Part &part, std::int64_t offset) {
    const bool dense = side.shape(part).dense;
    std::byte *const first = side.address(part) + (dense ? side.shape(part).true_lower_bound : 0);
    parts_.push_back({offset, side.bytes(part), first, part.type});
  });
}

void RunSpace::move_to(std::byte *buffer) {
  for (Elements &part : parts_) part.first = buffer + (part.first - buffer_);
  buffer_ = buffer;
}

bool RunSpace::serves(const Schedule &schedule, Space space, const Side &side) {
  return has_runs_worth_copying(side) && !any_message_in(schedule, schedule.sends, space) &&
         !any_message_in(schedule, schedule.receives, space);
}

void RunSpace::resolve(const Slice &slice, Home home, std::vector<Run> &runs) const {
  if (slice.length == 0) return;
  auto part =
      std::prev(std::upper_bound(parts_.begin(), parts_.end(), slice.offset,
                                 [](std::int64_t offset, const Elements &placed) { return offset < placed.offset; }));
  for (std::int64_t at = slice.offset; at < slice.end(); ++part) {
    const std::int64_t end = std::min(slice.end(), part->offset + part->bytes);
    add(*part, {at - part->offset, end - at}, home, runs);
    at = end;
  }
}

// `bytes` counts from the first byte of the elements' data.
void RunSpace::add(const Elements &elements, Extent bytes, Home home, std::vector<Run> &runs) const {
  const Element &type = types_[elements.type];
  if (type.runs == nullptr) return append(elements.first + bytes.offset, bytes.length, home, runs);
  std::byte *element = elements.first + bytes.offset / type.bytes * type.extent;
  std::int64_t skipped = bytes.offset % type.bytes;
  for (std::int64_t left = bytes.length; left > 0; element += type.extent) {
    for (auto run = type.runs->begin(); run != type.runs->end() && left > 0; ++run) {
      const std::int64_t length = std::min(std::max<std::int64_t>(0, run->length - skipped), left);
      if (length > 0) append(element + run->offset + skipped, length, home, runs);
      left -= length;
      skipped = std::max<std::int64_t>(0, skipped - run->length);
    }
  }
}

}  // namespace rondo::internal
