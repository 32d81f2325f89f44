#include "plans/digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "plans/digit_walk.hpp"

namespace rondo::internal {

namespace {

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

// Rank h sends on, for each x, what is at distance i and has a digit x other than 0: to rank h - e, if e is i with
// the digits below x put to 0. For one e these are r^x distances, fewer where the ring ends; and as x is where the
// zeros at the end of e begin, e says which x. So h sends, summed over e, r^x load[h - e]. Counted for all h
// together by going round the ring in strides of r^x, each adding what r^x is more than r^(x-1).
std::vector<std::int64_t> digit_moves(std::span<const std::int64_t> load, int radix) {
  const auto ring = static_cast<std::int64_t>(load.size());
  const auto loaded = [&](std::int64_t index) { return load[static_cast<std::size_t>((index + ring) % ring)]; };
  std::vector<std::int64_t> moves(load.size(), 0);
  for (std::int64_t stride = 1; stride < ring; stride *= radix) {
    const std::int64_t weight = stride == 1 ? 1 : stride - stride / radix;
    const std::int64_t last = (ring - 1) / stride * stride;
    const std::int64_t cut_off = last / stride % radix == 0 ? 0 : last + stride - ring;
    for (std::int64_t start = 0; start < std::gcd(stride, ring); ++start) {
      std::int64_t sum = 0;
      for (std::int64_t e = stride; e <= last; e += stride) sum += loaded(start - e);
      std::int64_t h = start;
      do {
        moves[static_cast<std::size_t>(h)] += weight * sum - cut_off * loaded(h - last);
        sum += loaded(h) - loaded(h - last);
        h = (h + stride) % ring;
      } while (h != start);
    }
  }
  return moves;
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

}  // namespace rondo::internal
