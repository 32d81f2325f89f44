#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm tuna;
const Algorithm tuna = {
    .name = "tuna",
    .summary = "blocks of any size by the digits of their distance; scratch for resting blocks only",
    .source = "TuNA, section III",
    .layout = Layout::compact,
    .takes_radix = true,
    .obstacle = radix_obstacle,
    .route =
        [](int rank, const Topology &topology, const Parameters &parameters) {
          return digit_route(rank, topology.ranks, parameters.radix, Direction::down);
        },
    .outline = [](const Topology &topology,
                  const Parameters &parameters) { return digit_outline(topology.ranks, parameters.radix); },
};

}  // namespace rondo::internal
