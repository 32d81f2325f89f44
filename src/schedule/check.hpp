#pragma once

#include <span>
#include <string>

#include "exchange/exchange.hpp"
#include "schedule/schedule.hpp"

namespace rondo::internal {

// Proves rules 1 to 6 of schedule.hpp for the schedules of all ranks, schedules[r] being rank r's. Returns an
// empty string, or the first broken rule with the rank, the step and the values that break it. Rule 7 is proved
// by running the schedules (run.hpp) and comparing.
std::string check_schedules(std::span<const Schedule> schedules, std::span<const Exchange> exchanges);

}  // namespace rondo::internal
