#pragma once

#include "schedule/schedule.hpp"

namespace rondo::internal {

// Decides which messages are staged, and where. A message of several slices is; one of a single slice travels in
// place, unless it is sent from where the same step receives in place (rule 2 of schedule.hpp). Staging is used
// anew in every step, so its size is that of the step that needs most.
void stage(Schedule &schedule);

}  // namespace rondo::internal
