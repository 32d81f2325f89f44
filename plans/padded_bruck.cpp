#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm padded_bruck;
const Algorithm padded_bruck = {
    .name = "padded_bruck",
    .summary = "zero_rotation_bruck over blocks padded to the largest",
    .source = "Fan 2022, section 3.1; Padded poster",
    .layout = Layout::padded,
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
