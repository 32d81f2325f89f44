#include "plans/direct.hpp"

namespace rondo::internal {

namespace {

Route linear_route(int rank, const Topology &topology, const Parameters &) {
  Route route = direct_route(rank, topology.ranks);
  if (topology.ranks > 1) route.begin_step();
  for (int peer = 0; peer < topology.ranks; ++peer) {
    if (peer != rank) exchange_blocks(route, peer, peer);
  }
  return route;
}

}  // namespace

extern const Algorithm linear;
const Algorithm linear = {
    .name = "linear",
    .summary = "every block in one step, peers in ascending rank order",
    .source = "TuNA, section II (d)",
    .layout = Layout::direct,
    .obstacle = no_obstacle,
    .route = linear_route,
    .outline = [](const Topology &topology, const Parameters &) { return direct_outline(topology.ranks, 1); },
    .sendings = sendings_at_once,
};

}  // namespace rondo::internal
