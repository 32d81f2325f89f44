#include "plans/cuts.hpp"
#include "plans/direct.hpp"

namespace rondo::internal {

namespace {

constexpr BySegments by_segments = {
    .cut = uncut,
    .route =
        [](int rank, const Topology &topology, const Parameters &, const Cut &) {
          Route route(rank, topology.ranks);
          route.begin_step();
          for (int k = 1; k < topology.ranks; ++k) {
            const int to = (rank + k) % topology.ranks;
            const int from = (rank - k + topology.ranks) % topology.ranks;
            if (all_gather.receives_by_route(topology, to, rank)) {
              route.sends.begin_message(to);
              route.sends.carry({rank, 0});
            }
            if (all_gather.receives_by_route(topology, rank, from)) {
              route.receives.begin_message(from);
              route.receives.carry({from, 0});
            }
          }
          return route;
        },
    .stages = [](const Topology &, const Parameters &) { return std::vector{Stage{1}}; },
};

}  // namespace

extern const Algorithm gather_spread_out;
const Algorithm gather_spread_out = {
    .name = "spread_out",
    .summary = "everything in one step from each source to all that receive from it",
    .source = "as TuNA, section II (d)",
    .layout = Layout::direct,
    .obstacle = no_obstacle,
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
