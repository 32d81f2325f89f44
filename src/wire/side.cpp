#include "wire/side.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "exchange/error.hpp"
#include "wire/attach.hpp"
#include "wire/device_memory.hpp"
#include "wire/null_buffer.hpp"
#include "wire/type_cache.hpp"

namespace rondo::internal {

namespace {

// Whose a count is, in messages.
std::string whose(const Side &side, const Part &part) {
  return side.for_all ? "" : fmt::format(" for rank {}", part.peer);
}

int peer_of(const Side &side, const Part &part) {
  return side.for_all ? -1 : part.peer;
}

void check_count(const Side &side, const Part &part, const char *name) {
  if (part.count >= 0) return;
  throw Error(Fault::count, fmt::format("the {} count{} is negative: {}", name, whose(side, part), part.count))
      .with_peer(peer_of(side, part))
      .with_values(part.count);
}

void check_buffer(const Side &side, const Part &part, const char *name) {
  if (side.bytes(part) == 0 || side.plan_allocates) return;
  const auto address =
      reinterpret_cast<std::uintptr_t>(side.buffer) + static_cast<std::uintptr_t>(side.first_byte(part));
  if (!is_of_null_buffer(side.buffer, address)) return;
  throw Error(Fault::buffer,
              fmt::format("the {} buffer is null, but the {} count{} is {}", name, name, whose(side, part), part.count))
      .with_peer(peer_of(side, part))
      .with_values(part.count);
}

// The last byte must be at a 64-bit offset too.
void check_reach(const Side &side, const Part &part) {
  const DatatypeShape &shape = side.shape(part);
  checked_multiply(part.count, shape.size, "a block");
  const std::int64_t last = checked_multiply(part.count - 1, shape.extent, "a block's reach");
  checked_add(checked_add(side.first_byte(part), last, "an offset"), shape.true_extent, "an offset");
}

// describe(type) finds out what there is to know of one.
template <class Describe>
void check(Side &side, const char *name, Describe &&describe) {
  for (const Part &part : side.parts) check_count(side, part, name);
  for (SideType &used : side.types) describe(used);
  for (const Part &part : side.parts) {
    if (part.count == 0 || side.shape(part).size == 0) continue;
    check_reach(side, part);
    check_buffer(side, part, name);
  }
}

// The runs of bytes of all blocks of which they are known, counted from `shift` bytes before the buffer. Nothing where
// there are more than a million.
std::optional<std::vector<NamedExtent>> runs_of(const Side &side, std::int64_t shift) {
  constexpr std::size_t most_runs = 1'000'000;
  std::vector<NamedExtent> extents;
  for (const Part &part : side.parts) {
    if (side.bytes(part) == 0) continue;
    if (side.shape(part).dense) {
      extents.push_back({{side.first_byte(part) + shift, side.bytes(part)}, part.peer});
      continue;
    }
    const TypeRuns &of_type = side.types[part.type].runs;
    if (!of_type) continue;
    for (std::int64_t element = 0; element < part.count; ++element) {
      const std::int64_t start = side.offset(part) + element * side.shape(part).extent + shift;
      for (const Extent &run : *of_type) extents.push_back({{start + run.offset, run.length}, part.peer});
      if (extents.size() > most_runs) return std::nullopt;
    }
  }
  return extents;
}

// Gives the runs of the block for `peer`, or from it, their origins. The runs are in the order of the data.
void find_origins(std::vector<NamedExtent> &runs, int peer) {
  std::int64_t place = 0;
  for (NamedExtent &run : runs) {
    if (run.peer != peer) continue;
    run.origin = run.extent.offset - place;
    place += run.extent.length;
  }
}

}  // namespace

void check_side(Side &side, const char *name, MPI_Comm packing) {
  check(side, name, [&](SideType &used) {
    used.shape = shape_of(used.type, name, packing);
    if (!used.shape.dense) used.runs = byte_runs(used.type, packing);
  });
}

// Compiled in one piece: it is part of calls whose counts are new.
[[gnu::flatten]] void check_side_by_cache(Side &side, const char *name) {
  check(side, name, [&](SideType &used) {
    KnownType known = cached_type(used.type, name);
    used.shape = known.shape;
    used.runs = std::move(known.runs);
  });
}

void check_buffers(const Side &side, const char *name) {
  for (const Part &part : side.parts) check_buffer(side, part, name);
}

std::vector<HeldType> hold_types(const Side &side) {
  std::vector<HeldType> held;
  held.reserve(side.types.size());
  for (const SideType &used : side.types) held.emplace_back(used.type);
  return held;
}

bool is_on_device(const Side &side) {
  if (side.plan_allocates || !may_have_device_memory()) return false;
  return std::any_of(side.parts.begin(), side.parts.end(), [&](const Part &part) {
    const auto address = reinterpret_cast<std::intptr_t>(side.buffer) + side.first_byte(part);
    return side.bytes(part) > 0 && is_device_memory(reinterpret_cast<const void *>(address));
  });
}

bool blocks_are_runs(const Side &side) {
  int last = -1;  // the peer of the last part with data
  for (const Part &part : side.parts) {
    if (side.bytes(part) == 0) continue;
    if (part.peer == last || !side.shape(part).dense) return false;
    last = part.peer;
  }
  return true;
}

bool lie_alike(const Side &a, const Side &b) {
  const auto same_elements = [](const SideType &one, const SideType &other) {
    return one.shape == other.shape && std::ranges::equal(runs_in(one.runs), runs_in(other.runs));
  };
  const auto same_part = [&](const Part &one, const Part &other) {
    return one.peer == other.peer && one.count == other.count && a.offset(one) == b.offset(other) &&
           one.type == other.type;
  };
  return std::ranges::equal(a.parts, b.parts, same_part) && std::ranges::equal(a.types, b.types, same_elements);
}

// A block is memory of one kind: its ends stand for what is between.
bool others_can_read(const Side &side) {
  std::vector<const std::byte *> ends;
  for (const Part &part : side.parts) {
    if (side.bytes(part) == 0) continue;
    const std::byte *const first = side.address(part) + side.shape(part).true_lower_bound;
    ends.insert(ends.end(), {first, first + side.bytes(part) - 1});
  }
  return others_can_read(ends);
}

std::vector<Extent> extents_in_buffer(const Side &side) {
  std::vector<Extent> extents(side.ranks);
  for (const Part &part : side.parts) {
    const std::int64_t bytes = side.bytes(part);
    if (bytes > 0) extents[part.peer] = {side.first_byte(part), bytes};
  }
  return extents;
}

std::vector<Extent> extents_packed(const Side &side) {
  std::vector<Extent> extents(side.ranks);
  for (const Part &part : side.parts) {
    Extent &extent = extents[part.peer];
    extent.length = checked_add(extent.length, side.bytes(part), "a block");
  }
  std::int64_t offset = 0;
  for (Extent &extent : extents) {
    extent.offset = offset;
    offset = checked_add(offset, extent.length, "the packed size");
  }
  return extents;
}

Extent reach(const Side &side) {
  std::int64_t begin = INT64_MAX;
  std::int64_t end = INT64_MIN;
  for (const Part &part : side.parts) {
    if (side.bytes(part) == 0) continue;
    const Extent span = side.shape(part).span(part.count);
    begin = std::min(begin, side.offset(part) + span.offset);
    end = std::max(end, side.offset(part) + span.end());
  }
  if (begin > end) return {};
  return {begin, end - begin};
}

Extent reach(const Side &a, const Side &b) {
  const Extent one = reach(a);
  const Extent other = reach(b);
  if (one.length == 0 || other.length == 0) return one.length == 0 ? other : one;
  const std::int64_t begin = std::min(one.offset, other.offset);
  return {begin, std::max(one.end(), other.end()) - begin};
}

void check_receive_overlap(const Side &side) {
  if (auto extents = runs_of(side, 0)) check_overlap(*std::move(extents));
}

void check_apart(const Side &send, const Side &receive, int rank) {
  if (send.plan_allocates || receive.plan_allocates) return;
  const std::int64_t shift =
      reinterpret_cast<std::intptr_t>(send.buffer) - reinterpret_cast<std::intptr_t>(receive.buffer);
  const Extent sent = reach(send);
  const Extent received = reach(receive);
  if (sent.offset + shift >= received.end() || received.offset >= sent.end() + shift) return;
  auto from = runs_of(send, shift);
  auto to = runs_of(receive, 0);
  if (!from || !to) return;
  find_origins(*from, send.for_all ? 0 : rank);
  find_origins(*to, rank);
  check_apart(*from, *std::move(to));
}

void check_own_block(const Side &send, const Side &receive, int rank) {
  const auto own_bytes = [&](const Side &side) {
    std::int64_t bytes = 0;
    for (const Part &part : side.parts) {
      if (side.for_all || part.peer == rank) bytes = checked_add(bytes, side.bytes(part), "a block");
    }
    return bytes;
  };
  const std::int64_t sent = own_bytes(send);
  const std::int64_t received = own_bytes(receive);
  if (sent == received) return;
  throw Error(Fault::mismatch,
              fmt::format("rank {} sends {} bytes to itself, but receives {} bytes from itself", rank, sent, received))
      .with_peer(rank)
      .with_values(sent, received);
}

}  // namespace rondo::internal
