#pragma once

// Copies between addresses of this process, and the ranges by which a step names its own among those of a schedule.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/copy.hpp"
#include "wire/run.hpp"

namespace rondo::internal {

struct BoundCopy {
  const std::byte *from;
  std::byte *to;
  std::size_t bytes;
  bool takes = false;  // by copy_and_take: from memory that ranks share, and that nobody else writes or takes
  Home from_home = Home::plan;
  Home to_home = Home::plan;
};

inline void run(std::span<const BoundCopy> copies) {
  for (const BoundCopy &copy : copies) {
    if (copy.takes) {
      // What is shorter would be fetched for reading, which the copy itself begins with.
      if (copy.bytes >= least_fetched_for_writing) fetch_ahead(copy.from, copy.bytes);
      copy_and_take(copy.to, const_cast<std::byte *>(copy.from), copy.bytes);
    } else {
      copy_bytes(copy.to, copy.from, copy.bytes);
    }
  }
}

inline void move(std::span<BoundCopy> copies, const Moved &moved) {
  for (BoundCopy &copy : copies) {
    moved.follow(copy.from, copy.from_home);
    moved.follow(copy.to, copy.to_home);
  }
}

// A run of indices.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

template <class Item>
std::span<const Item> part(const std::vector<Item> &items, Range range) {
  return std::span(items).subspan(range.first, range.count);
}

// All items from the given one on.
template <class Item>
Range since(std::size_t first, const std::vector<Item> &items) {
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(items.size() - first)};
}

}  // namespace rondo::internal
