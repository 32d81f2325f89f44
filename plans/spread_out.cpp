#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm spread_out;
const Algorithm spread_out = {
    .name = "spread_out",
    .summary = "every block in one step, peers in round-robin order from one's own rank",
    .source = "TuNA, section II (d)",
    .layout = Layout::direct,
    .obstacle = no_obstacle,
    .route = [](int rank, const Topology &topology,
                const Parameters &) { return round_robin_route(rank, topology.ranks, topology.ranks); },
    .outline = [](const Topology &topology, const Parameters &) { return direct_outline(topology.ranks, 1); },
    .sendings = sendings_at_once,
};

}  // namespace rondo::internal
