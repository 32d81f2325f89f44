#pragma once

#include "schedule/schedule.hpp"
#include "wire/bound.hpp"
#include "wire/channel.hpp"

namespace rondo {

// Where the spaces of a schedule lie for one plan.
struct BoundSpaces {
  const std::byte *send = nullptr;
  std::byte *receive = nullptr;
  std::byte *scratch = nullptr;
  std::byte *staging = nullptr;
};

// The packed wire: each message becomes one persistent request over bytes, in place or in staging, and each staged
// message the copies that gather or scatter it. Steps in which nothing happens on this rank are left out; two
// ranks still meet in the same order, message by message. Local.
BoundSchedule bind_packed(const Schedule &schedule, const BoundSpaces &spaces, const Channel &channel);

}  // namespace rondo
