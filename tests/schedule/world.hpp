#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <vector>

#include "exchange/exchange.hpp"
#include "plans/algorithm.hpp"

namespace rondo::internal {

// Bytes of the block of a source for a destination.
using SizeOf = std::function<std::int64_t(int source, int destination)>;

// Lays the blocks of one space out in the given order, `gap()` bytes between one and the next.
template <class Gap>
std::vector<Extent> extents(const std::vector<int> &order, std::int64_t start, Gap &&gap,
                            const std::function<std::int64_t(int)> &length_of) {
  std::vector<Extent> laid(order.size());
  for (const int peer : order) {
    const std::int64_t length = length_of(peer);
    laid[static_cast<std::size_t>(peer)] = {start, length};
    start += length + gap();
  }
  return laid;
}

// What one rank sends and receives, blocks side by side in rank order.
inline Exchange dense_exchange(int rank, int ranks, const SizeOf &size_of) {
  std::vector<int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  const auto no_gap = [] { return 0; };
  return {.rank = rank,
          .send = extents(order, 0, no_gap, [&](int peer) { return size_of(rank, peer); }),
          .receive = extents(order, 0, no_gap, [&](int peer) { return size_of(peer, rank); })};
}

inline std::vector<Exchange> dense_world(int ranks, const SizeOf &size_of) {
  std::vector<Exchange> world;
  for (int rank = 0; rank < ranks; ++rank) world.push_back(dense_exchange(rank, ranks, size_of));
  return world;
}

// The same with gaps, in an order of every space's own, beginning before offset 0.
inline std::vector<Exchange> gapped_world(int ranks, const SizeOf &size_of, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  const auto gap = [&] { return static_cast<std::int64_t>(random() % 3 * 5); };
  std::vector<Exchange> world;
  for (int rank = 0; rank < ranks; ++rank) {
    Exchange &exchange = world.emplace_back();
    exchange.rank = rank;
    std::shuffle(order.begin(), order.end(), random);
    exchange.send = extents(order, -7, gap, [&](int peer) { return size_of(rank, peer); });
    std::shuffle(order.begin(), order.end(), random);
    exchange.receive = extents(order, -11, gap, [&](int peer) { return size_of(peer, rank); });
  }
  return world;
}

inline SizeOf constant(std::int64_t bytes) {
  return [bytes](int, int) { return bytes; };
}

// 0 to 24 bytes, a quarter of them empty.
inline std::int64_t irregular(int source, int destination) {
  const unsigned mixed = (static_cast<unsigned>(source) * 40503U + static_cast<unsigned>(destination)) * 2654435761U;
  const unsigned value = mixed >> 16U;
  return value % 4 == 0 ? 0 : value % 25;
}

inline Case case_of(const std::vector<Exchange> &world) {
  Case situation;
  situation.topology.ranks = static_cast<int>(world.size());
  situation.smallest_block = world[0].send[0].length;
  for (const Exchange &exchange : world) {
    for (const Extent &extent : exchange.send) {
      situation.smallest_block = std::min(situation.smallest_block, extent.length);
      situation.largest_block = std::max(situation.largest_block, extent.length);
    }
  }
  return situation;
}

}  // namespace rondo::internal
