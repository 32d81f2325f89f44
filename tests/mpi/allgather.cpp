// All-gathers of one group and between two: what arrives, and what is left alone, is as with MPI_Allgatherv.

#include "tests/mpi/gathering.hpp"

namespace rondo {
namespace {

void expect_all_sizes(const Groups &groups, const GatherWay &way) {
  for (const SizeRule rule : {arithmetic, equal, empty, one_has_all, long_ones}) {
    for (const Placement &placement : {Placement{}, Placement{.first = 5, .gap = 3, .backwards = true}}) {
      // MPICH 4.0 takes no notice of the displacement where there is one rank, and so is no oracle.
      if (world_ranks() == 1 && placement.first != 0) continue;
      Gathering gathering(groups, rule, placement);
      Request plan = gathering.plan(by(way));
      gathering.expect_restarts(plan);
    }
  }
}

class AllgatherInOneGroupBy : public testing::TestWithParam<GatherWay> {};
INSTANTIATE_TEST_SUITE_P(, AllgatherInOneGroupBy,
                         testing::Values(GatherWay{""}, GatherWay{"native"}, GatherWay{"spread_out"},
                                         GatherWay{"dissemination", 1}, GatherWay{"dissemination", 2},
                                         GatherWay{"dissemination", 3, "packed"},
                                         GatherWay{"dissemination", 2, "datatype"},
                                         GatherWay{"spread_out", 0, "mixed"}),
                         testing::PrintToStringParamName());

TEST_P(AllgatherInOneGroupBy, OfAllSizes) {
  expect_all_sizes(Groups(), GetParam());
}

TEST_P(AllgatherInOneGroupBy, InPlace) {
  const Groups groups;
  for (const SizeRule rule : {arithmetic, long_ones}) {
    Gathering gathering(groups, rule, {.first = 2, .gap = 1});
    gathering.send_in_place();
    Request plan = gathering.plan(by(GetParam()));
    gathering.expect_restarts(plan);
  }
}

TEST_P(AllgatherInOneGroupBy, OfElementsWithGaps) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  const Groups groups;
  for (const bool in_place : {false, true}) {
    Gathering gathering(groups, arithmetic, {.gap = 1}, every_other, every_other);
    if (in_place) gathering.send_in_place();
    Request plan = gathering.plan(by(GetParam()));
    gathering.expect_restarts(plan);
  }
  MPI_Type_free(&every_other);
}

class AllgatherBetweenGroupsBy : public testing::TestWithParam<GatherWay> {};
INSTANTIATE_TEST_SUITE_P(, AllgatherBetweenGroupsBy,
                         testing::Values(GatherWay{""}, GatherWay{"native"}, GatherWay{"spread_out"},
                                         GatherWay{"segmented", 1}, GatherWay{"segmented", 2, "packed"},
                                         GatherWay{"balanced", 1, "packed"}, GatherWay{"balanced", 2},
                                         GatherWay{"two_stage", 1}, GatherWay{"two_stage", 2, "packed"},
                                         GatherWay{"root_gathering"}, GatherWay{"pipelined_root_gathering"},
                                         GatherWay{"root_gathering", 0, "packed"}, GatherWay{"balanced", 2, "datatype"},
                                         GatherWay{"segmented", 3, "mixed"}),
                         testing::PrintToStringParamName());

// Groups of every ratio that these ranks allow, the smaller one first and last.
TEST_P(AllgatherBetweenGroupsBy, OfAllSizes) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  for (int first = 1; first < world_ranks(); ++first) expect_all_sizes(Groups(first), GetParam());
}

TEST_P(AllgatherBetweenGroupsBy, OfElementsWithGaps) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&every_other);
  MPI_Type_commit(&pair);
  for (int first = 1; first < world_ranks(); ++first) {
    const Groups groups(first);
    for (const SizeRule rule : {arithmetic, equal}) {
      Gathering gathering(groups, rule, {.gap = 1}, pair, every_other);
      Request plan = gathering.plan(by(GetParam()));
      gathering.expect_restarts(plan);
    }
  }
  MPI_Type_free(&every_other);
  MPI_Type_free(&pair);
}

}  // namespace
}  // namespace rondo
