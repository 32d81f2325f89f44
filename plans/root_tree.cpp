#include "plans/root_tree.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

// How many ranks, its own first, a rank stands for in a binomial tree over a group: those of its subtree.
int subtree(int index, int size) {
  const int whole = index == 0 ? size : index & -index;
  return std::min(whole, size - index);
}

void carry_subtree(Traffic &traffic, const Cut &cut, const RankRange &party, int index, int held) {
  for (int i = index; i < index + held; ++i) {
    const auto parts = static_cast<std::int32_t>(cut.of(party.rank(i)).size());
    for (std::int32_t part = 0; part < parts; ++part) traffic.carry({party.rank(i), part});
  }
}

}  // namespace

int gather_to_root_steps(const Topology &topology) {
  const int size = std::max(first_group(topology).size, second_group(topology).size);
  int steps = 0;
  for (int span = 1; span < size; span *= 2) ++steps;
  return steps;
}

void add_gather_to_root(Route &route, const Topology &topology, const Cut &cut) {
  const RankRange own = own_group(topology, route.rank);
  const int index = route.rank - own.first;
  const int steps = gather_to_root_steps(topology);
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

void carry_root_to_root(Route &route, const Cut &cut, const RankRange &from, const RankRange &to) {
  if (route.rank == from.first) {
    route.sends.begin_message(to.first);
    carry_subtree(route.sends, cut, from, 0, from.size);
  } else if (route.rank == to.first) {
    route.receives.begin_message(from.first);
    carry_subtree(route.receives, cut, from, 0, from.size);
  }
}

}  // namespace rondo::internal
