#include "wire/run_space.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace rondo::internal {

namespace {

struct Amount {
  std::int64_t bytes = 0;
  std::int64_t runs = 0;
};

// Of a side's data; nothing where runs are not known.
std::optional<Amount> amount_of(const Side &side) {
  Amount amount;
  for (const Part &part : side.parts) {
    const SideType &used = side.types[part.type];
    if (side.bytes(part) == 0) continue;
    if (!used.shape.dense && !used.runs) return std::nullopt;
    amount.bytes += side.bytes(part);
    amount.runs += used.shape.dense ? 1 : part.count * std::ssize(*used.runs);
  }
  return amount;
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
    const std::int64_t first = side.offset(part) + (dense ? side.shape(part).true_lower_bound : 0);
    parts_.push_back({offset, side.bytes(part), first, part.type});
  });
}

// While a core copies a run, it also fetches what lies behind the run, out of the cache of the core that will need it
// next: up to 2 us each, which is more than a copy is worth where runs are shorter (docs/performance.md).
bool RunSpace::has_long_runs(const Side &side) {
  constexpr std::int64_t least_mean_run = 32768;
  const auto amount = amount_of(side);
  return amount && amount->bytes >= amount->runs * least_mean_run;
}

bool RunSpace::serves(const Schedule &schedule, Space space, const Side &side) {
  // Copies of runs then take less time than a packed image, which is copied once more.
  const auto amount = amount_of(side);
  return amount && worth_copying(amount->runs, amount->bytes) && !any_message_in(schedule, schedule.sends, space) &&
         !any_message_in(schedule, schedule.receives, space);
}

void RunSpace::resolve(const Slice &slice, Home home, std::vector<Run> &runs) const {
  for_each_run(slice, [&](const Extent &run) { append(buffer_ + run.offset, run.length, home, runs); });
}

}  // namespace rondo::internal
