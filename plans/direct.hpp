#pragma once

// What the direct algorithms share: every block makes one hop, from its source to its destination.

#include <string>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// Adds to the current step the message with this rank's block for `to`, and the one with the block of `from`.
inline void exchange_blocks(Route &route, int to, int from) {
  route.sends.begin_message(to);
  route.sends.carry({route.rank, to});
  route.receives.begin_message(from);
  route.receives.carry({from, route.rank});
}

// A route with room for the P - 1 messages of a direct algorithm.
inline Route direct_route(int rank, int ranks) {
  Route route(rank, ranks);
  const auto messages = static_cast<std::size_t>(ranks - 1);
  route.sends.reserve(messages, messages);
  route.receives.reserve(messages, messages);
  return route;
}

// All peers in round-robin order from one's own rank, `batch` of them a step. At distance k every rank has a
// destination of its own, so no rank is flooded by all at once.
inline Route round_robin_route(int rank, int ranks, int batch) {
  Route route = direct_route(rank, ranks);
  for (int k = 1; k < ranks; ++k) {
    if ((k - 1) % batch == 0) route.begin_step();
    exchange_blocks(route, (rank + k) % ranks, (rank - k + ranks) % ranks);
  }
  return route;
}

inline Outline direct_outline(int ranks, std::int64_t steps) {
  return {.steps = ranks > 1 ? steps : 0, .messages = ranks - 1, .block_moves = ranks - 1};
}

// The messages of round_robin_route.
inline std::vector<Sending> round_robin_sendings(int rank, int ranks, int batch) {
  std::vector<Sending> all;
  for (int k = 1; k < ranks; ++k) all.push_back({(k - 1) / batch, (rank + k) % ranks, 1});
  return all;
}

// The same of one step, in the form in which an algorithm names it.
inline std::optional<std::vector<Sending>> sendings_at_once(int rank, const NodeIndex &nodes, const Parameters &) {
  return round_robin_sendings(rank, nodes.ranks(), nodes.ranks());
}

inline std::string no_obstacle(const Case &, const Parameters &) {
  return {};
}

}  // namespace rondo::internal
