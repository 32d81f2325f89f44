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

VaryingRankPlan varying_plan_of(const char *text, int rank) {
  const Problem problem = parse_problem(text);
  return plan_varying_rank(problem, select(problem, case_of(problem)), rank);
}

// Radix 2 on 8 ranks: three messages of four blocks each, a word of 8 bytes for each block.
TEST(VaryingRankPlan, CountsTheHeadsOfItsMessages) {
  const VaryingRankPlan plan = varying_plan_of("alltoallv_varying p=8 algorithm=tuna radix=2 dist=constant max=5", 3);

  EXPECT_EQ(plan.messages(), 3);
  EXPECT_EQ(plan.block_moves(), 12);
  EXPECT_EQ(plan.head_bytes(), 96);
  EXPECT_EQ(plan.data_bytes(), 60);
  EXPECT_EQ(plan.resting_bytes(), 60);
}

TEST(VaryingRankPlan, BlocksThatGoStraightDoNotRest) {
  const VaryingRankPlan plan = varying_plan_of("alltoallv_varying p=8 algorithm=spread_out dist=constant max=5", 3);

  EXPECT_EQ(plan.messages(), 7);
  EXPECT_EQ(plan.head_bytes(), 56);
  EXPECT_EQ(plan.resting_bytes(), 0);
}

// One word more in each message, as the ranks choose again at each start.
TEST(VaryingRankPlan, TellsFiguresWhereThereAreSeveralCandidates) {
  constexpr const char *problem = "alltoallv_varying p=16 node=4";
  ASSERT_GT(candidates_of(parse_problem(problem)).size(), 1);
  const VaryingRankPlan plan = varying_plan_of(problem, 0);

  EXPECT_EQ(plan.head_bytes(), 8 * (plan.block_moves() + plan.messages()));
}

}  // namespace
}  // namespace rondo::internal::cli
