#pragma once

#include "wire/bound.hpp"

namespace rondo::internal {

// Binds a schedule to addresses and wires. Steps in which nothing happens on this rank are left out; two ranks still
// meet in the same order, message by message. Local. `shared` is null where nothing is shared, and of its banks the
// given one is used; `native` is given for a plan that is the MPI library's own call, with an empty schedule.
BoundSchedule bind(const Schedule &schedule, const BoundSpaces &spaces, const Channel &channel,
                   const SharedRegion *shared = nullptr, int bank = 0, NativeCall *native = nullptr);

}  // namespace rondo::internal
