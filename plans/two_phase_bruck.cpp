#include "plans/digits.hpp"
#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm two_phase_bruck;
const Algorithm two_phase_bruck = {
    .name = "two_phase_bruck",
    .summary = "blocks of any size by binary digits; P scratch slots of the largest block's size",
    .source = "Fan 2022, section 3.2",
    .layout = Layout::slots,
    .obstacle = no_obstacle,
    .route = [](int rank, const Topology &topology,
                const Parameters &) { return digit_route(rank, topology.ranks, 2, Direction::down); },
    .outline = [](const Topology &topology, const Parameters &) { return digit_outline(topology.ranks, 2); },
};

}  // namespace rondo::internal
