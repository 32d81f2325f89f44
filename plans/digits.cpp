#include "plans/digits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rondo {

namespace {

// Calls visit(power, hop) for each step (x, z), where power is r^x and hop is z r^x.
template <class Visit>
void for_each_step(std::int64_t ranks, int radix, Visit &&visit) {
  for (std::int64_t power = 1; power < ranks; power *= radix) {
    for (std::int64_t hop = power; hop < std::min(ranks, power * radix); hop += power) visit(power, hop);
  }
}

// Calls visit(distance) for each distance below P whose digit at `power` has the value hop / power.
template <class Visit>
void for_each_distance(std::int64_t ranks, int radix, std::int64_t power, std::int64_t hop, Visit &&visit) {
  for (std::int64_t run = hop; run < ranks; run += power * radix) {
    for (std::int64_t i = run; i < std::min(run + power, ranks); ++i) visit(i);
  }
}

// The message of step (power, hop) that `holder` sends.
void carry_all(Traffic &traffic, std::int64_t holder, std::int64_t ranks, int radix, std::int64_t power,
               std::int64_t hop, std::int64_t sign) {
  for_each_distance(ranks, radix, power, hop, [&](std::int64_t i) {
    // The lower digits are travelled already: the source lies that far behind the holder.
    const std::int64_t source = (holder - sign * (i % power) + ranks) % ranks;
    const std::int64_t destination = (source + sign * i + ranks) % ranks;
    traffic.carry({static_cast<std::int32_t>(source), static_cast<std::int32_t>(destination)});
  });
}

}  // namespace

Route digit_route(int rank, int ranks, int radix, Direction direction) {
  const std::int64_t sign = direction == Direction::up ? 1 : -1;
  const Outline outline = digit_outline(ranks, radix);
  Route route(rank, ranks);
  route.sends.reserve(static_cast<std::size_t>(outline.messages), static_cast<std::size_t>(outline.block_moves));
  route.receives.reserve(static_cast<std::size_t>(outline.messages), static_cast<std::size_t>(outline.block_moves));
  for_each_step(ranks, radix, [&](std::int64_t power, std::int64_t hop) {
    const std::int64_t to = (rank + sign * hop + ranks) % ranks;
    const std::int64_t from = (rank - sign * hop + ranks) % ranks;
    route.begin_step();
    route.sends.begin_message(static_cast<int>(to));
    carry_all(route.sends, rank, ranks, radix, power, hop, sign);
    route.receives.begin_message(static_cast<int>(from));
    carry_all(route.receives, from, ranks, radix, power, hop, sign);
  });
  return route;
}

Outline digit_outline(int ranks, int radix) {
  Outline outline;
  for_each_step(ranks, radix, [&](std::int64_t power, std::int64_t hop) {
    ++outline.steps;
    const std::int64_t period = power * radix;
    const std::int64_t whole = ranks / period * power;
    const std::int64_t rest = std::clamp<std::int64_t>(ranks % period - hop, 0, power);
    outline.block_moves += whole + rest;
  });
  outline.messages = outline.steps;
  return outline;
}

std::string radix_obstacle(const Case &, const Parameters &parameters) {
  if (parameters.radix >= 2) return {};
  return fmt::format("the radix must be at least 2, and is {}", parameters.radix);
}

std::string uniform_obstacle(const Case &situation, const Parameters &parameters) {
  if (!situation.uniform()) {
    return fmt::format("all blocks must have the same size, and have {} to {} bytes", situation.smallest_block,
                       situation.largest_block);
  }
  return radix_obstacle(situation, parameters);
}

}  // namespace rondo
