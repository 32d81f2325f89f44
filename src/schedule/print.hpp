#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace rondo::internal {

// The schedule as text for people: a line a copy and a message, with its slices.
std::string to_string(const Schedule &schedule);

}  // namespace rondo::internal
