#include "schedule/forwarding_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/error.hpp"
#include "route/arrivals.hpp"

namespace rondo::internal {

ForwardingTable forwarding_table_of(const Route &route) {
  const auto received = route.receives.blocks();
  const auto sent = route.sends.blocks();
  ForwardingTable forwarding;
  forwarding.arrival.assign(sent.size(), ForwardingTable::own);
  forwarding.departure.assign(received.size(), ForwardingTable::final);
  const bool forwards = std::any_of(sent.begin(), sent.end(), [&](const Block &b) { return b.source != route.rank; });
  if (!forwards) return forwarding;  // a direct route: nothing to look up

  const Arrivals arrivals(route);
  for (int step = 0; step < route.steps(); ++step) {
    for (const Message &message : route.sends.messages(step)) {
      for (std::size_t e = message.first; e < message.first + message.count; ++e) {
        if (sent[e].source == route.rank) continue;
        const Arrival *arrival = arrivals.find(sent[e]);
        if (arrival == nullptr) {
          throw Error(Fault::internal, fmt::format("rank {} sends block ({}, {}) but never receives it", route.rank,
                                                   sent[e].source, sent[e].part));
        }
        forwarding.arrival[e] = arrival->entry;
        forwarding.departure[forwarding.arrival[e]] = step;
      }
    }
  }
  return forwarding;
}

}  // namespace rondo::internal
