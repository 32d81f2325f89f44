#pragma once

#include <span>
#include <string>

#include "exchange/kind.hpp"
#include "route/route.hpp"

namespace rondo::internal {

// Proves the rules of route.hpp for the routes of all ranks, routes[r] being rank r's: that they move the blocks of an
// exchange of this kind. The cut is that of a kind whose blocks are segments. Returns an empty string, or the first
// broken rule with the ranks, the step and the block that break it.
std::string check_routes(std::span<const Route> routes, const Topology &topology, const Kind &kind,
                         const Cut *cut = nullptr);

// The same for an all-to-all.
std::string check_routes(std::span<const Route> routes);

}  // namespace rondo::internal
