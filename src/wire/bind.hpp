#pragma once

#include "schedule/schedule.hpp"
#include "wire/bound.hpp"
#include "wire/channel.hpp"
#include "wire/shared.hpp"
#include "wire/typed_space.hpp"

namespace rondo::internal {

// Where the spaces of a schedule lie for one plan.
struct BoundSpaces {
  const std::byte *send = nullptr;
  std::byte *receive = nullptr;
  std::byte *scratch = nullptr;
  std::byte *staging = nullptr;
  // Instead of an address, on the datatype wire.
  const TypedSpace *typed_send = nullptr;
  const TypedSpace *typed_receive = nullptr;
};

// Binds a schedule to addresses and wires. An MPI message becomes one persistent request, over bytes in place or in
// staging or over a datatype of its slices, and each staged message the copies that gather or scatter it; a shared
// message becomes what wire/shared.hpp makes of it, for the given half of its areas. Steps in which nothing happens on
// this rank are left out; two ranks still meet in the same order, message by message. Local. `shared` is null where
// nothing is shared.
BoundSchedule bind(const Schedule &schedule, const BoundSpaces &spaces, const Channel &channel,
                   const SharedWire *shared = nullptr, int half = 0);

}  // namespace rondo::internal
