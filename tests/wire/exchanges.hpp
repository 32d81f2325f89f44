#pragma once

#include <cstdint>
#include <vector>

#include "exchange/exchange.hpp"

namespace rondo::internal::test {

// Sizes that differ from block to block, some of them zero.
inline std::vector<Exchange> uneven_exchanges(int ranks, std::int64_t most, bool uniform) {
  const auto size = [&](int s, int d) { return uniform ? most : most * ((s * 5 + d * 3) % 4) / 3; };
  std::vector<Exchange> all(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    Exchange &exchange = all[static_cast<std::size_t>(rank)];
    exchange.rank = rank;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    for (int peer = 0; peer < ranks; ++peer) {
      exchange.send.push_back({sent, size(rank, peer)});
      exchange.receive.push_back({received, size(peer, rank)});
      sent += size(rank, peer);
      received += size(peer, rank);
    }
  }
  return all;
}

}  // namespace rondo::internal::test
