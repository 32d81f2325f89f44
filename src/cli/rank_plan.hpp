#pragma once

#include <cstdint>

#include "cli/selection.hpp"
#include "route/route.hpp"
#include "schedule/schedule.hpp"
#include "schedule/sizes.hpp"
#include "varying/metadata.hpp"

namespace rondo::internal::cli {

// Of one block, whole: the cut is null where blocks are no segments.
std::int64_t size_of(const Block &block, const BlockSizes &sizes, const Cut *cut);

// The plan of one rank, made without the others: the sizes of forwarded blocks, which init learns by sending
// them along the route, are computed from the problem instead. So it takes seconds for 16,384 ranks.
struct RankPlan {
  Route route;
  Sizes sizes;                            // with which blocks travel: padded ones all with the largest
  Schedule schedule;                      // all messages being MPI's
  std::int64_t shared_scratch_bytes = 0;  // of the schedule where the ranks of a node share memory
};
RankPlan plan_rank(const Problem &problem, const Selection &selection, const Case &situation, int rank);

// The same for sizes that vary: of the first start.
struct VaryingRankPlan {
  Route route;
  Sizes sizes;
  MessageForm form{};

  [[nodiscard]] std::int64_t messages() const;
  [[nodiscard]] std::int64_t block_moves() const { return static_cast<std::int64_t>(sizes.sent.size()); }
  // Of the heads of the messages that it sends.
  [[nodiscard]] std::int64_t head_bytes() const;
  [[nodiscard]] std::int64_t data_bytes() const;
  // Of the blocks that rest here until the start is complete; 0 where blocks go straight to where they belong.
  [[nodiscard]] std::int64_t resting_bytes() const;
};
VaryingRankPlan plan_varying_rank(const Problem &problem, const Selection &selection, int rank);

}  // namespace rondo::internal::cli
