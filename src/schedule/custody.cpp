#include "schedule/custody.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

struct Arrival {
  Block block;
  std::uint32_t entry;
};

std::vector<Arrival> arrivals_by_block(std::span<const Block> received) {
  std::vector<Arrival> arrivals;
  arrivals.reserve(received.size());
  for (std::size_t e = 0; e < received.size(); ++e) arrivals.push_back({received[e], static_cast<std::uint32_t>(e)});
  std::sort(arrivals.begin(), arrivals.end(), [](const Arrival &a, const Arrival &b) { return a.block < b.block; });
  return arrivals;
}

std::size_t find_arrival(const std::vector<Arrival> &arrivals, const Block &block, int rank) {
  const auto found = std::lower_bound(arrivals.begin(), arrivals.end(), block,
                                      [](const Arrival &a, const Block &key) { return a.block < key; });
  if (found == arrivals.end() || found->block != block) {
    throw Error(Fault::internal,
                fmt::format("rank {} sends block ({}, {}) but never receives it", rank, block.source, block.part));
  }
  return found->entry;
}

}  // namespace

Custody trace_custody(const Route &route) {
  const auto received = route.receives.blocks();
  const auto sent = route.sends.blocks();
  Custody custody;
  custody.arrival.assign(sent.size(), Custody::own);
  custody.departure.assign(received.size(), Custody::final);
  const bool forwards = std::any_of(sent.begin(), sent.end(), [&](const Block &b) { return b.source != route.rank; });
  if (!forwards) return custody;  // a direct route: nothing to look up

  const std::vector<Arrival> arrivals = arrivals_by_block(received);
  for (int step = 0; step < route.steps(); ++step) {
    for (const Message &message : route.sends.messages(step)) {
      for (std::size_t e = message.first; e < message.first + message.count; ++e) {
        if (sent[e].source == route.rank) continue;
        custody.arrival[e] = find_arrival(arrivals, sent[e], route.rank);
        custody.departure[custody.arrival[e]] = step;
      }
    }
  }
  return custody;
}

}  // namespace rondo::internal
