#pragma once

#include <vector>

#include "plans/algorithm.hpp"

namespace rondo::internal {

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
Stage all_gather_stage(int first, int second, int radix);
// Adds the steps of an all-gather for a member of the circle, and idle ones up to `steps`. The radix is that of the
// distances that bundles travel in a step: 2 is Bruck's log-time all-gather (Kang 2019, section 4, cites it), the
// number of members sends everything in one step, and 1 is a ring. Only a ring leaves out what a member has already.
void add_all_gather(Route &route, const Circle &circle, int radix, int steps);

}  // namespace rondo::internal
