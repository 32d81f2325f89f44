#include "varying/varying_route.hpp"

namespace rondo::internal {

namespace {

// Without its blocks a message may carry what it says of the exchange as a whole.
void add_reduction(Route &route) {
  for (int distance = 1; distance < route.ranks; distance *= 2) {
    route.begin_step();
    route.sends.begin_message((route.rank + distance) % route.ranks);
    route.receives.begin_message((route.rank - distance + route.ranks) % route.ranks);
  }
}

void append(Traffic &traffic, const Traffic &more, int step) {
  for (const Message &message : more.messages(step)) {
    traffic.begin_message(message.peer);
    for (const Block &block : more.blocks(message)) traffic.carry(block);
  }
}

}  // namespace

Route varying_route(const Algorithm &algorithm, int rank, const Topology &topology, const Parameters &parameters) {
  Route own = algorithm.route(rank, topology, parameters);
  if (!pads(algorithm.layout)) return own;
  Route route(own.rank, own.ranks);
  add_reduction(route);
  for (int step = 0; step < own.steps(); ++step) {
    route.begin_step();
    append(route.sends, own.sends, step);
    append(route.receives, own.receives, step);
  }
  return route;
}

}  // namespace rondo::internal
