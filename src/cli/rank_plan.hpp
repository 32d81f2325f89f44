#pragma once

#include <cstdint>

#include "cli/selection.hpp"
#include "route/route.hpp"
#include "schedule/schedule.hpp"
#include "schedule/sizes.hpp"

namespace rondo::internal::cli {

// The plan of one rank, made without the others: the sizes of forwarded blocks, which init learns by sending
// them along the route, are computed from the problem instead. So it takes seconds for 16,384 ranks.
struct RankPlan {
  Route route;
  Sizes sizes;                            // with which blocks travel: padded ones all with the largest
  Schedule schedule;                      // all messages being MPI's
  std::int64_t shared_scratch_bytes = 0;  // of the schedule where the ranks of a node share memory
};
RankPlan plan_rank(const Problem &problem, const Selection &selection, const Case &situation, int rank);

}  // namespace rondo::internal::cli
