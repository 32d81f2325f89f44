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

// By h: the sum of what is loaded at h - stride, h - 2 stride, .. h - count stride, round the ring.
std::vector<std::int64_t> sums_behind(std::span<const std::int64_t> load, std::int64_t stride, std::int64_t count) {
  const auto ring = static_cast<std::int64_t>(load.size());
  const auto loaded = [&](std::int64_t index) { return load[(index % ring + ring) % ring]; };
  std::vector<std::int64_t> sums(load.size(), 0);
  for (std::int64_t start = 0; start < std::gcd(stride, ring); ++start) {
    std::int64_t sum = 0;
    for (std::int64_t k = 1; k <= count; ++k) sum += loaded(start - k * stride);
    std::int64_t h = start;
    do {
      sums[h] = sum;
      sum += loaded(h) - loaded(h - count * stride);
      h = (h + stride) % ring;
    } while (h != start);
  }
  return sums;
}

std::vector<Sending> digit_sendings(int rank, int ranks, int radix, Direction direction) {
  const std::int64_t sign = direction == Direction::up ? 1 : -1;
  std::vector<Sending> all;
  for_each_step(ranks, radix, [&](std::int64_t power, std::int64_t hop) {
    const auto peer = static_cast<int>((rank + sign * hop + ranks) % ranks);
    all.push_back({static_cast<int>(all.size()), peer, count_distances(ranks, radix, power, hop)});
  });
  return all;
}

int radix_of(const Parameters &parameters) {
  return parameters.radix > 0 ? parameters.radix : 2;
}

}  // namespace

Route digit_route(int rank, int ranks, int radix, Direction direction) {
  const std::int64_t sign = direction == Direction::up ? 1 : -1;
  const Outline outline = digit_outline(ranks, radix);
  Route route(rank, ranks);
  route.sends.reserve(outline.messages, outline.block_moves);
  route.receives.reserve(outline.messages, outline.block_moves);
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
    outline.block_moves += count_distances(ranks, radix, power, hop);
  });
  outline.messages = outline.steps;
  return outline;
}

// A rank h sends what is at distance i once for each digit x of i that is not 0: to rank h - e, where e is i with the
// digits below x put to 0, as those are travelled by then. So x is how many zeros e ends in, in base r, and
//
//     moves[h] = sum of times(e) load[h - e] over e = 1..P-1,   times(e) = min(r^x, P - e),
//
// as so many distances below P differ from e in the digits below x only. With e a multiple of r^0, r^1, .. r^x, its
// r^x are added up as 1 + (r - 1) + (r^2 - r) + ..: for each power, all its multiples by what it is more than the last
// power. The last multiple alone may count for fewer.
std::vector<std::int64_t> digit_moves(std::span<const std::int64_t> load, int radix) {
  const auto ring = static_cast<std::int64_t>(load.size());
  std::vector<std::int64_t> moves(load.size(), 0);
  for (std::int64_t power = 1; power < ring; power *= radix) {
    const std::int64_t more = power == 1 ? 1 : power - power / radix;
    const std::int64_t multiples = (ring - 1) / power;
    const std::int64_t last = multiples * power;
    const std::int64_t too_many = multiples % radix == 0 ? 0 : std::max<std::int64_t>(0, last + power - ring);
    const std::vector<std::int64_t> sums = sums_behind(load, power, multiples);
    for (std::int64_t h = 0; h < ring; ++h) {
      const auto index = static_cast<std::size_t>(h);
      moves[index] += more * sums[index] - too_many * load[(h - last + ring) % ring];
    }
  }
  return moves;
}

Route digits_up(int rank, const Topology &topology, const Parameters &parameters) {
  return digit_route(rank, topology.ranks, radix_of(parameters), Direction::up);
}

Route digits_down(int rank, const Topology &topology, const Parameters &parameters) {
  return digit_route(rank, topology.ranks, radix_of(parameters), Direction::down);
}

std::optional<std::vector<Sending>> digits_up_sendings(int rank, const NodeIndex &nodes, const Parameters &parameters) {
  return digit_sendings(rank, nodes.ranks(), radix_of(parameters), Direction::up);
}

std::optional<std::vector<Sending>> digits_down_sendings(int rank, const NodeIndex &nodes,
                                                         const Parameters &parameters) {
  return digit_sendings(rank, nodes.ranks(), radix_of(parameters), Direction::down);
}

Outline digits_outline(const Topology &topology, const Parameters &parameters) {
  return digit_outline(topology.ranks, radix_of(parameters));
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
