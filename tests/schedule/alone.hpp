#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "plans/algorithm.hpp"
#include "schedule/lower.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {

// The schedule of one rank whose own blocks, and those that pass through it, all have one size: no other rank is
// needed to learn it.
inline Schedule schedule_alone(std::string_view name, const Exchange &exchange, const Parameters &wished,
                               std::int64_t bytes, std::span<const char> shares_memory = {}) {
  const Algorithm &algorithm = *find_algorithm(name);
  const int ranks = exchange.ranks();
  const Route route =
      algorithm.route(exchange.rank, {.ranks = ranks, .node_of = {}}, effective(algorithm, wished, ranks));
  const ForwardingTable forwarding = forwarding_table_of(route);
  const Sizes sizes{std::vector(route.sends.blocks().size(), bytes),
                    std::vector(route.receives.blocks().size(), bytes)};
  return lower(algorithm.layout, {route, forwarding, sizes, exchange, bytes, shares_memory});
}

inline Schedule schedule_alone(std::string_view name, int rank, int ranks, const Parameters &wished,
                               std::int64_t bytes) {
  return schedule_alone(name, dense_exchange(rank, ranks, constant(bytes)), wished, bytes);
}

}  // namespace rondo::internal
