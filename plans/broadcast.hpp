#pragma once

#include <vector>

#include "plans/algorithm.hpp"
#include "plans/rank_range.hpp"

namespace rondo::internal {

// The steps of a broadcast of so many bundles to so many ranks, the root among them: ceil(log2 ranks) - 1 more than
// there are bundles. No algorithm has fewer where a rank sends one bundle and receives one at a time.
int broadcast_steps(int ranks, int bundles);

// A broadcast from the first of the ranks in a pipeline: in each step a rank sends one bundle and receives one, over
// distances that come by turns, each half of the next larger one, rounded up (Träff, Ripke 2008, which Kang 2019,
// section 3.1, cites; as a schedule of circulant graphs by Träff 2022). All ranks have the same `steps`, which may be
// more than this broadcast has.
void add_broadcast(Route &route, const RankRange &ranks, const std::vector<std::vector<Block>> &bundles, int steps);

}  // namespace rondo::internal
