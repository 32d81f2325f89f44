#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "exchange/block.hpp"

namespace rondo::internal::cli {

// Fills a block with the bytes that it has in a round: each is a hash of (round, source, destination, offset),
// so a byte that comes from the wrong block, place or round shows.
void fill_payload(std::span<std::byte> bytes, Block block, int round);

}  // namespace rondo::internal::cli
