#include "wire/side.hpp"

#include <fmt/format.h>

#include "exchange/error.hpp"

namespace rondo {

namespace {

// No object lies in the first page: an address there comes of a null buffer. (MPI_BOTTOM is null as well, but
// what it is used with has absolute addresses.)
constexpr std::uintptr_t first_page = 4096;

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

void check_count(const Side &side, int peer, const char *name) {
  const std::int64_t count = side.counts[at(peer)];
  if (count >= 0) return;
  throw Error(Fault::count, fmt::format("the {} count for rank {} is negative: {}", name, peer, count))
      .with_peer(peer)
      .with_values(count);
}

void check_buffer(const Side &side, int peer, const char *name) {
  if (side.bytes(peer) == 0) return;
  const auto address =
      reinterpret_cast<std::uintptr_t>(side.buffer) + static_cast<std::uintptr_t>(side.first_byte(peer));
  if (side.buffer != nullptr || address >= first_page) return;
  throw Error(Fault::buffer, fmt::format("the {} buffer is null, but the {} count for rank {} is {}", name, name, peer,
                                         side.counts[at(peer)]))
      .with_peer(peer)
      .with_values(side.counts[at(peer)]);
}

// The end of the last element must be a 64-bit offset too.
void check_reach(const Side &side, int peer) {
  const std::int64_t length = checked_multiply(side.counts[at(peer)], side.shape.size, "a block");
  const std::int64_t reach = checked_multiply(side.counts[at(peer)], side.shape.extent, "a block's reach");
  checked_add(checked_add(side.first_byte(peer), reach, "an offset"), length, "an offset");
}

}  // namespace

std::int64_t Side::bytes(int peer) const {
  return counts[at(peer)] * shape.size;
}

std::int64_t Side::first_byte(int peer) const {
  const std::int64_t start = checked_multiply(displacements[at(peer)], shape.extent, "a displacement");
  return checked_add(start, shape.true_lower_bound, "an offset");
}

std::byte *Side::element_address(int peer) const {
  return static_cast<std::byte *>(buffer) + displacements[at(peer)] * shape.extent;
}

void check_side(Side &side, const char *name) {
  const int ranks = static_cast<int>(side.counts.size());
  for (int peer = 0; peer < ranks; ++peer) check_count(side, peer, name);
  side.shape = shape_of(side.type, name);
  for (int peer = 0; peer < ranks; ++peer) {
    if (side.counts[at(peer)] == 0) continue;
    check_reach(side, peer);
    check_buffer(side, peer, name);
  }
}

std::vector<Extent> extents_in_buffer(const Side &side) {
  std::vector<Extent> extents;
  for (int peer = 0; peer < static_cast<int>(side.counts.size()); ++peer) {
    const std::int64_t bytes = side.bytes(peer);
    extents.push_back({bytes > 0 ? side.first_byte(peer) : 0, bytes});
  }
  return extents;
}

std::vector<Extent> extents_packed(const Side &side) {
  std::vector<Extent> extents;
  std::int64_t offset = 0;
  for (int peer = 0; peer < static_cast<int>(side.counts.size()); ++peer) {
    extents.push_back({offset, side.bytes(peer)});
    offset = checked_add(offset, side.bytes(peer), "the packed size");
  }
  return extents;
}

void check_receive_overlap(const Side &side) {
  if (side.shape.size == 0) return;
  const int ranks = static_cast<int>(side.counts.size());
  std::vector<NamedExtent> extents;
  if (side.shape.dense) {
    const std::vector<Extent> blocks = extents_in_buffer(side);
    for (int source = 0; source < ranks; ++source) extents.push_back({blocks[at(source)], source});
    return check_overlap(std::move(extents));
  }
  constexpr std::size_t most_runs = 1'000'000;
  const auto runs = byte_runs(side.type, side.shape);
  if (!runs) return;
  for (int source = 0; source < ranks; ++source) {
    for (std::int64_t element = 0; element < side.counts[at(source)]; ++element) {
      const std::int64_t start = (side.displacements[at(source)] + element) * side.shape.extent;
      for (const Extent &run : *runs) extents.push_back({{start + run.offset, run.length}, source});
      if (extents.size() > most_runs) return;
    }
  }
  check_overlap(std::move(extents));
}

}  // namespace rondo
