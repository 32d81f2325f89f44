#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm padded_alltoall;
const Algorithm padded_alltoall = {
    .name = "padded_alltoall",
    .summary = "a uniform direct exchange of blocks padded to the largest",
    .source = "Fan 2022, section 4.1",
    .layout = Layout::padded_direct,
    .obstacle = no_obstacle,
    .route = [](int rank, const Topology &topology,
                const Parameters &) { return round_robin_route(rank, topology.ranks, topology.ranks); },
    .outline = [](const Topology &topology, const Parameters &) { return direct_outline(topology.ranks, 1); },
    .sendings = sendings_at_once,
};

}  // namespace rondo::internal
