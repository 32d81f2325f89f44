#include "cli/rank_plan.hpp"

#include <gtest/gtest.h>

#include "cli/exchanges.hpp"
#include "schedule/print.hpp"
#include "schedule/run.hpp"

namespace rondo::internal::cli {
namespace {

// Planning one rank from computed sizes gives the same as planning all ranks, which learn theirs.
TEST(RankPlan, IsWhatAllRanksTogetherPlan) {
  for (const Algorithm *algorithm : algorithms()) {
    if (algorithm->route == nullptr) continue;
    Problem problem = parse_problem("alltoallv p=16 dist=constant max=40 gap=1");
    problem.algorithm = algorithm->name;
    const Case situation = case_of(problem);
    const Selection selection = select(problem, situation);
    const Planned all = plan_all(*algorithm, selection.parameters, situation.topology, exchanges(problem));
    for (const int rank : {0, 7, 15}) {
      EXPECT_EQ(to_string(plan_rank(problem, selection, situation, rank).schedule),
                to_string(all.schedules[static_cast<std::size_t>(rank)]))
          << algorithm->name;
    }
  }
}

TEST(RankPlan, IsTheSameForBlocksOfManySizes) {
  const Problem problem = parse_problem("alltoallv p=13 algorithm=tuna radix=3 dist=uniform max=3");
  const Case situation = case_of(problem);
  const Selection selection = select(problem, situation);
  const Planned all = plan_all(*selection.algorithm, selection.parameters, situation.topology, exchanges(problem));
  for (int rank = 0; rank < 13; ++rank) {
    EXPECT_EQ(to_string(plan_rank(problem, selection, situation, rank).schedule),
              to_string(all.schedules[static_cast<std::size_t>(rank)]));
  }
}

}  // namespace
}  // namespace rondo::internal::cli
