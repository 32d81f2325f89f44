#pragma once

// What the all-gather algorithms share: data crosses from group to group, and is gathered inside one.

#include <span>
#include <string>
#include <vector>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// Consecutive ranks.
struct Party {
  int first = 0;
  int size = 0;

  [[nodiscard]] int rank(int index) const { return first + index; }
  [[nodiscard]] bool holds(int rank) const { return rank >= first && rank < first + size; }
};

// The groups of an intercommunicator, or the one group and an empty one.
Party first_group(const Topology &topology);
Party second_group(const Topology &topology);
// Where this rank is, and where it is not.
Party own_group(const Topology &topology, int rank);
Party other_group(const Topology &topology, int rank);

// Ranks that gather among themselves: at the end each has the bundles of all.
struct Circle {
  std::vector<int> members;
  std::vector<std::vector<Block>> bundles;  // by member: what it brings; may be empty
  // By member: how many bundles it has to begin with, its own and those that follow. Empty: its own.
  std::vector<int> held = {};

  void add(int member, std::vector<Block> bundle) {
    members.push_back(member);
    bundles.push_back(std::move(bundle));
  }
};

// The steps of an all-gather among so many.
int all_gather_steps(int members, int radix);

// A stage in which the groups, of so many ranks, gather each for itself.
Stage gathering_stage(int first, int second, int radix);
// Adds the steps of an all-gather for a member of the circle, and idle ones up to `steps`. The radix is that of the
// distances that bundles travel in a step: 2 is Bruck's log-time all-gather (Kang 2019, section 4, cites it), the
// number of members sends everything in one step, and 1 is a ring. Only a ring leaves out what a member has already.
void add_all_gather(Route &route, const Circle &circle, int radix, int steps);

// Nothing is cut: the data of each rank is one segment, whose carrier is the rank itself.
Cut uncut(const Topology &topology, std::span<const std::int64_t> bytes);

// By carrier: the segments of some sources that it carries. They have no other carriers.
std::vector<std::vector<Block>> carried_by_each(const Cut &cut, const Party &sources, const Party &carriers);

// Adds one step in which every segment goes from its source to its carrier. Each rank sends in the order of carriers;
// it receives first from the last source if that has other carriers too, and last from the first if that has: so that
// none of those which send to several waits for another (Kang 2019, section 4.1).
void add_crossing(Route &route, const Topology &topology, const Cut &cut);

// The route of most between two groups: a step to cross, then each group gathers inside what its members carry of the
// other's. And its stages.
Route cross_and_gather(int rank, const Topology &topology, const Parameters &parameters, const Cut &cut);
std::vector<Stage> crossing_and_gathering(const Topology &topology, const Parameters &parameters);

// The data of some sources cut where it must be so that all carriers have as much of it, but for a byte: the first
// carrier has the first part of it, in rank order (Kang 2019, Algorithm 2, lines 3 to 21). Adds the sources in order.
void add_balanced_cut(Cut &cut, const Party &sources, const Party &carriers, std::span<const std::int64_t> bytes);

// The balanced cut of both groups, each for the ranks of the other.
Cut balanced_cut(const Topology &topology, std::span<const std::int64_t> bytes);

// The reason of algorithms that need two groups, or one.
std::string two_groups_obstacle(const Case &situation, const Parameters &parameters);
std::string one_group_obstacle(const Case &situation, const Parameters &parameters);

// Of the radix: 1, a ring, to the size of the larger group.
Parameters gather_limits(const Topology &topology, const Parameters &parameters);

}  // namespace rondo::internal
