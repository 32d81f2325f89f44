#pragma once

#include "schedule/layout.hpp"
#include "schedule/schedule.hpp"

namespace rondo::internal {

// The whole way from a route and sizes to a schedule: places every block, drops empty blocks and messages (both
// sides know the sizes, so both drop the same), joins pieces that lie side by side, halves messages that are to be, and
// decides which messages are staged. What it makes keeps the rules of schedule.hpp when the route keeps those of
// route.hpp.
Schedule lower(Layout layout, const LayoutInput &input);

}  // namespace rondo::internal
