#include <algorithm>

#include "plans/broadcast.hpp"
#include "plans/cuts.hpp"
#include "plans/group_cases.hpp"
#include "plans/root_tree.hpp"

namespace rondo::internal {

namespace {

// As many bundles as receivers: the pipeline's first bundles are a small part of all then.
int steps_of_broadcasts(const Topology &topology) {
  const int p = first_group(topology).size;
  const int q = second_group(topology).size;
  return std::max(broadcast_steps(p, p), broadcast_steps(q, q));
}

constexpr BySegments by_segments = {
    .cut = balanced_cut,
    // Both directions at the same time (section 3.1, equation 1).
    .route =
        [](int rank, const Topology &topology, const Parameters &, const Cut &cut) {
          const RankRange own = own_group(topology, rank);
          const RankRange other = other_group(topology, rank);
          Route route(rank, topology.ranks);
          add_gather_to_root(route, topology, cut);
          route.begin_step();
          carry_root_to_root(route, cut, own, other);
          carry_root_to_root(route, cut, other, own);
          add_broadcast(route, own, carried_by_each(cut, other, own), steps_of_broadcasts(topology));
          return route;
        },
    .stages =
        [](const Topology &topology, const Parameters &) {
          return std::vector{Stage{gather_to_root_steps(topology)}, Stage{1}, Stage{steps_of_broadcasts(topology)}};
        },
};

}  // namespace

extern const Algorithm pipelined_root_gathering;
const Algorithm pipelined_root_gathering = {
    .name = "pipelined_root_gathering",
    .summary = "root gathering at its best: both roots exchange at the same time, and broadcast in a pipeline",
    .source = "Kang 2019, section 3.1, equation 1",
    .layout = Layout::compact,
    .by_name_only = true,
    .obstacle = two_groups_obstacle,
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
