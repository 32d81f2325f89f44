#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm zero_rotation_bruck;
const Algorithm zero_rotation_bruck = {
    .name = "zero_rotation_bruck",
    .summary = "an index replaces the first rotation as well",
    .source = "Fan 2022, section 2.1",
    .layout = Layout::unrotated,
    .takes_radix = true,
    .obstacle = uniform_obstacle,
    .route =
        [](int rank, const Topology &topology, const Parameters &parameters) {
          return digit_route(rank, topology.ranks, parameters.radix, Direction::down);
        },
    .outline = [](const Topology &topology,
                  const Parameters &parameters) { return digit_outline(topology.ranks, parameters.radix); },
};

}  // namespace rondo::internal
