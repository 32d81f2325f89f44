#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm scattered;
const Algorithm scattered = {
    .name = "scattered",
    .summary = "spread_out in batches of block_count messages",
    .source = "TuNA, section II (d)",
    .layout = Layout::direct,
    .takes_block_count = true,
    .obstacle = no_obstacle,
    .route =
        [](int rank, const Topology &topology, const Parameters &parameters) {
          return round_robin_route(rank, topology.ranks, parameters.block_count);
        },
    .outline =
        [](const Topology &topology, const Parameters &parameters) {
          return direct_outline(topology.ranks, (topology.ranks - 2 + parameters.block_count) / parameters.block_count);
        },
    .sendings = [](int rank, const NodeIndex &nodes,
                   const Parameters &parameters) -> std::optional<std::vector<Sending>> {
      return round_robin_sendings(rank, nodes.ranks(), parameters.block_count);
    },
};

}  // namespace rondo::internal
