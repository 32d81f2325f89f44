#pragma once

#include <span>
#include <string>

#include "exchange/cut.hpp"
#include "route/route.hpp"
#include "route/topology.hpp"

namespace rondo::internal {

// Proves the rules of route.hpp for the routes of all ranks, routes[r] being rank r's. Returns an empty string,
// or the first broken rule with the ranks, the step and the block that break it.
std::string check_routes(std::span<const Route> routes);

// The same for an all-gather: there every segment of the cut is for all that receive from its source.
std::string check_gather_routes(std::span<const Route> routes, const Topology &topology, const Cut &cut);

}  // namespace rondo::internal
