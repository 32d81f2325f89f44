#include <algorithm>

#include "plans/circle.hpp"
#include "plans/cuts.hpp"
#include "plans/group_cases.hpp"

namespace rondo::internal {

namespace {

// How many ranks, its own first, a rank stands for in a binomial tree over a group: those of its subtree.
int subtree(int index, int size) {
  const int whole = index == 0 ? size : index & -index;
  return std::min(whole, size - index);
}

int tree_steps(int size) {
  int steps = 0;
  for (int span = 1; span < size; span *= 2) ++steps;
  return steps;
}

void carry_subtree(Traffic &traffic, const Cut &cut, const RankRange &party, int index, int held) {
  for (int i = index; i < index + held; ++i) {
    const auto parts = static_cast<std::int32_t>(cut.of(party.rank(i)).size());
    for (std::int32_t part = 0; part < parts; ++part) traffic.carry({party.rank(i), part});
  }
}

// Up a binomial tree to the first rank of each group.
void add_gather_to_root(Route &route, const Topology &topology, const Cut &cut) {
  const RankRange own = own_group(topology, route.rank);
  const int index = route.rank - own.first;
  const int steps = tree_steps(std::max(own.size, other_group(topology, route.rank).size));
  for (int step = 0, span = 1; step < steps; ++step, span *= 2) {
    route.begin_step();
    if (index % (2 * span) == span) {
      route.sends.begin_message(own.rank(index - span));
      carry_subtree(route.sends, cut, own, index, subtree(index, own.size));
    } else if (index % (2 * span) == 0 && index + span < own.size) {
      route.receives.begin_message(own.rank(index + span));
      carry_subtree(route.receives, cut, own, index + span, subtree(index + span, own.size));
    }
  }
}

void add_root_to_root(Route &route, const Cut &cut, const RankRange &from, const RankRange &to) {
  route.begin_step();
  if (route.rank == from.first) {
    route.sends.begin_message(to.first);
    carry_subtree(route.sends, cut, from, 0, from.size);
  } else if (route.rank == to.first) {
    route.receives.begin_message(from.first);
    carry_subtree(route.receives, cut, from, 0, from.size);
  }
}

// A long broadcast, as MPI libraries do it: the root scatters, then all gather in a ring; both move nearly all the
// data.
void add_broadcast(Route &route, const Cut &cut, const RankRange &sources, const RankRange &receivers) {
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
          add_broadcast(route, cut, first, second);
          add_root_to_root(route, cut, second, first);
          add_broadcast(route, cut, second, first);
          return route;
        },
    .stages =
        [](const Topology &topology, const Parameters &) {
          const int p = first_group(topology).size;
          const int q = second_group(topology).size;
          const Stage one{1};  // root to root, or the scattering of a broadcast
          return std::vector{Stage{tree_steps(std::max(p, q))}, one, one, all_gather_stage(0, q, 1), one, one,
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
