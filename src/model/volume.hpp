#pragma once

#include <cstdint>
#include <span>

#include "exchange/cut.hpp"
#include "route/route.hpp"

namespace rondo {

// How much an all-gather moves, by its routes.
struct Volume {
  std::int64_t steps = 0;
  std::int64_t messages = 0;  // sent by the rank that sends most
  std::int64_t bytes = 0;     // of all steps, each those of the rank that sends or receives most in it
  std::int64_t sent = 0;      // in all, by the rank that sends most
  std::int64_t received = 0;  // in all, by the rank that receives most
};

// Of one direction in one step.
std::int64_t bytes_in_step(const Traffic &traffic, int step, const Cut &cut);

// Over the routes given: those of all ranks, or of some. `bytes` is the transfer time of Kang 2019, section 2, where
// each rank sends to one and receives from one at a time.
Volume volume_of(std::span<const Route> routes, const Cut &cut);

}  // namespace rondo
