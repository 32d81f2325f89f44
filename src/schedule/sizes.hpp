#pragma once

// How big each block is that passes through this rank.
//
// A rank knows its own blocks, and from its receive counts those that end here. A direct route needs no more.
// On other routes the sizes are learned once, at init, by sending 8-byte counts along the route itself: step by
// step, before each message that a start will send, the sizes of its blocks. The metadata phases of two-phase
// Bruck (Fan 2022, section 3.2) and TuNA (section III-B) are this, done once instead of at every exchange.

#include <cstdint>
#include <span>
#include <vector>

#include "exchange/exchange.hpp"
#include "schedule/forwarding_table.hpp"

namespace rondo::internal {

struct Sizes {
  std::vector<std::int64_t> sent;      // bytes, by send entry
  std::vector<std::int64_t> received;  // bytes, by receive entry
};

// The sizes that this rank knows by itself: those of its own blocks, and those that end here as its receive
// counts say. Others are 0. Enough where every block makes one hop (one_hop in plans/algorithm.hpp), and where the kind
// of the exchange has all ranks know all sizes.
Sizes known_sizes(const Route &route, const Exchange &exchange);

// The sizes that one message of a step announces, gathered when the step is reached, and what the message from
// a peer announced, put in. Whoever moves the numbers (wire/learn.hpp over MPI, run.hpp in one process) calls
// these for each step in turn.
void announce(const Message &message, const Sizes &sizes, std::span<std::int64_t> numbers);
void take_announced(const Message &message, std::span<const std::int64_t> numbers, Sizes &sizes);

// Once a step's sizes are learned, those of the blocks that are sent on become known too.
void forward_sizes(const Route &route, const ForwardingTable &forwarding, int step, Sizes &sizes);

// Throws Error (mismatch) when a block that ends here was announced with another size than the receive counts
// say: the first such block, with both sizes.
void check_sizes(const Route &route, const Exchange &exchange, const Sizes &sizes);

}  // namespace rondo::internal
