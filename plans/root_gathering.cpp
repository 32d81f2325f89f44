#include "plans/circle.hpp"
#include "plans/cuts.hpp"
#include "plans/group_cases.hpp"
#include "plans/root_tree.hpp"

namespace rondo::internal {

namespace {

void add_root_to_root(Route &route, const Cut &cut, const RankRange &from, const RankRange &to) {
  route.begin_step();
  carry_root_to_root(route, cut, from, to);
}

// A long broadcast, as MPI libraries do it: the root scatters, then all gather in a ring; both move nearly all the
// data.
void add_library_broadcast(Route &route, const Cut &cut, const RankRange &sources, const RankRange &receivers) {
  const int last = route.steps() + receivers.size;
  if (receivers.holds(route.rank)) {
    Circle circle;
    for (int i = 0; i < receivers.size; ++i) circle.members.push_back(receivers.rank(i));
    circle.bundles = carried_by_each(cut, sources, receivers);
    circle.held.assign(circle.members.size(), 1);
    circle.held.front() = receivers.size;
    route.begin_step();
    for (int i = 1; i < receivers.size; ++i) {
      const bool root = route.rank == receivers.first;
      if (!root && route.rank != receivers.rank(i)) continue;
      Traffic &traffic = root ? route.sends : route.receives;
      traffic.begin_message(root ? receivers.rank(i) : receivers.first);
      for (const Block &block : circle.bundles[i]) traffic.carry(block);
    }
    add_all_gather(route, circle, 1, receivers.size - 1);
  }
  while (route.steps() < last) route.begin_step();
}

constexpr BySegments by_segments = {
    .cut = balanced_cut,
    // One direction after the other, as libraries do it (section 3.1, equation 2).
    .route =
        [](int rank, const Topology &topology, const Parameters &, const Cut &cut) {
          const RankRange first = first_group(topology);
          const RankRange second = second_group(topology);
          Route route(rank, topology.ranks);
          add_gather_to_root(route, topology, cut);
          add_root_to_root(route, cut, first, second);
          add_library_broadcast(route, cut, first, second);
          add_root_to_root(route, cut, second, first);
          add_library_broadcast(route, cut, second, first);
          return route;
        },
    .stages =
        [](const Topology &topology, const Parameters &) {
          const int p = first_group(topology).size;
          const int q = second_group(topology).size;
          const Stage one{1};  // root to root, or the scattering of a broadcast
          return std::vector{Stage{gather_to_root_steps(topology)},
                             one,
                             one,
                             all_gather_stage(0, q, 1),
                             one,
                             one,
                             all_gather_stage(p, 0, 1)};
        },
};

}  // namespace

extern const Algorithm root_gathering;
const Algorithm root_gathering = {
    .name = "root_gathering",
    .summary = "one rank of each group gathers, exchanges with the other's, and broadcasts: what MPI libraries do",
    .source = "Kang 2019, section 3.1",
    .layout = Layout::compact,
    .obstacle = two_groups_obstacle,
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
