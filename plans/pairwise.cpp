#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm pairwise;
const Algorithm pairwise = {
    .name = "pairwise",
    .summary = "one message each way a step, at distance k in step k",
    .source = "TuNA, section II (d)",
    .layout = Layout::direct,
    .obstacle = no_obstacle,
    .route = [](int rank, const Topology &topology,
                const Parameters &) { return round_robin_route(rank, topology.ranks, 1); },
    .outline = [](const Topology &topology,
                  const Parameters &) { return direct_outline(topology.ranks, topology.ranks - 1); },
    .sendings = [](int rank, const NodeIndex &nodes, const Parameters &) -> std::optional<std::vector<Sending>> {
      return round_robin_sendings(rank, nodes.ranks(), 1);
    },
};

}  // namespace rondo::internal
