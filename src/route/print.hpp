#pragma once

#include <string>

#include "route/route.hpp"

namespace rondo::internal {

// The route as text for people: a line a message, its blocks as (source, destination).
std::string to_string(const Route &route);

}  // namespace rondo::internal
