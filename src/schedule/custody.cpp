#include "schedule/custody.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/error.hpp"
#include "route/arrivals.hpp"

namespace rondo::internal {

Custody trace_custody(const Route &route) {
  const auto received = route.receives.blocks();
  const auto sent = route.sends.blocks();
  Custody custody;
  custody.arrival.assign(sent.size(), Custody::own);
  custody.departure.assign(received.size(), Custody::final);
  const bool forwards = std::any_of(sent.begin(), sent.end(), [&](const Block &b) { return b.source != route.rank; });
  if (!forwards) return custody;  // a direct route: nothing to look up

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
        custody.arrival[e] = arrival->entry;
        custody.departure[custody.arrival[e]] = step;
      }
    }
  }
  return custody;
}

}  // namespace rondo::internal
