#include "plans/circle.hpp"
#include "plans/cuts.hpp"
#include "plans/group_cases.hpp"

namespace rondo::internal {

namespace {

constexpr BySegments by_segments = {
    .cut = uncut,
    .route =
        [](int rank, const Topology &topology, const Parameters &parameters, const Cut &) {
          Route route(rank, topology.ranks);
          Circle circle;
          for (int member = 0; member < topology.ranks; ++member) circle.add(member, {{member, 0}});
          add_all_gather(route, circle, parameters.radix, all_gather_steps(topology.ranks, parameters.radix));
          return route;
        },
    .stages =
        [](const Topology &topology, const Parameters &parameters) {
          return std::vector{all_gather_stage(topology.ranks, 0, parameters.radix)};
        },
};

}  // namespace

extern const Algorithm dissemination;
const Algorithm dissemination = {
    .name = "dissemination",
    .summary = "an all-gather in one group: in log time (radix 2), a ring (1), or all in one step",
    .source = "Kang 2019, section 3; Bruck 1997",
    .layout = Layout::compact,
    .takes_radix = true,
    .obstacle = one_group_obstacle,
    .limits = gather_limits,
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
