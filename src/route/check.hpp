#pragma once

#include <span>
#include <string>

#include "route/route.hpp"

namespace rondo {

// Proves the rules of route.hpp for the routes of all ranks, routes[r] being rank r's. Returns an empty string,
// or the first broken rule with the ranks, the step and the block that break it.
std::string check_routes(std::span<const Route> routes);

}  // namespace rondo
