// The routes of every algorithm whose blocks are segments keep the rules, and cuts lose no byte.

#include <gtest/gtest.h>

#include "plans/circle.hpp"
#include "route/check.hpp"
#include "tests/plans/gathers.hpp"

namespace rondo::internal {
namespace {

std::vector<Route> routes_of(const Algorithm &algorithm, const GatherSetting &setting, const Cut &cut) {
  std::vector<Route> routes;
  for (int rank = 0; rank < setting.topology.ranks; ++rank) {
    routes.push_back(algorithm.by_segments->route(rank, setting.topology, setting.parameters, cut));
  }
  return routes;
}

class GatherRoutesOf : public testing::TestWithParam<GatherCase> {};

TEST_P(GatherRoutesOf, KeepTheRules) {
  const auto &[kind, algorithm, sizes] = GetParam();
  for (const GatherSetting &setting : gather_settings(*algorithm, 9)) {
    const Cut cut = algorithm->by_segments->cut(setting.topology, bytes_of(*sizes, setting.topology.ranks));
    ASSERT_EQ(check_routes(routes_of(*algorithm, setting, cut), setting.topology, *kind, &cut), "") << setting;
  }
}

TEST_P(GatherRoutesOf, CutIsOfAllBytesInOrder) {
  const auto &[kind, algorithm, sizes] = GetParam();
  for (const GatherSetting &setting : gather_settings(*algorithm, 9)) {
    const std::vector<std::int64_t> bytes = bytes_of(*sizes, setting.topology.ranks);
    const Cut cut = algorithm->by_segments->cut(setting.topology, bytes);
    ASSERT_EQ(cut.sources(), setting.topology.ranks) << setting;
    for (int source = 0; source < setting.topology.ranks; ++source) {
      std::int64_t done = 0;
      for (const CutSegment &segment : cut.of(source)) {
        ASSERT_EQ(segment.offset, done) << setting << ", source " << source;
        done += segment.length;
      }
      ASSERT_EQ(done, bytes[static_cast<std::size_t>(source)]) << setting << ", source " << source;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, GatherRoutesOf, testing::ValuesIn(gather_cases()), name_of);

TEST(GatherRoutes, LogTimeAllGatherTakesLogManySteps) {
  EXPECT_EQ(all_gather_steps(1, 2), 0);
  EXPECT_EQ(all_gather_steps(8, 2), 3);
  EXPECT_EQ(all_gather_steps(9, 2), 4);
  EXPECT_EQ(all_gather_steps(9, 3), 2);
  EXPECT_EQ(all_gather_steps(9, 9), 1);
  EXPECT_EQ(all_gather_steps(9, 1), 8);
}

// Kang 2019, figure 1: six ranks and two; ranks 0 to 2 and rank 6 exchange, ranks 3 to 5 and rank 7.
TEST(GatherRoutes, SegmentedCrossesAsInFigureOne) {
  const Algorithm &segmented = *find_algorithm("segmented", all_gather);
  const Topology topology = groups_of(6, 2);
  const std::vector<std::int64_t> bytes(8, 6);
  const Cut cut = segmented.by_segments->cut(topology, bytes);
  for (int rank = 0; rank < 6; ++rank) {
    ASSERT_EQ(cut.of(rank).size(), 1U);
    EXPECT_EQ(cut.of(rank)[0].carrier, rank < 3 ? 6 : 7);
  }
  for (int rank = 6; rank < 8; ++rank) {
    ASSERT_EQ(cut.of(rank).size(), 3U);
    for (int part = 0; part < 3; ++part) {
      EXPECT_EQ(cut.of(rank)[static_cast<std::size_t>(part)].length, 2);
      EXPECT_EQ(cut.of(rank)[static_cast<std::size_t>(part)].carrier, (rank - 6) * 3 + part);
    }
  }
}

// Kang 2019, figure 2: eight ranks and three, in subgroups of 3, 3 and 2.
TEST(GatherRoutes, SegmentedSplitsTheLargerGroupAsInFigureTwo) {
  const Cut cut =
      find_algorithm("segmented", all_gather)->by_segments->cut(groups_of(8, 3), std::vector<std::int64_t>(11, 6));
  const std::vector<int> partners = {8, 8, 8, 9, 9, 9, 10, 10};
  for (int rank = 0; rank < 8; ++rank) EXPECT_EQ(cut.of(rank)[0].carrier, partners[static_cast<std::size_t>(rank)]);
  EXPECT_EQ(cut.of(8).size(), 3U);
  EXPECT_EQ(cut.of(10).size(), 2U);
}

std::vector<int> senders_to(int rank, const std::vector<std::int64_t> &bytes, const Topology &topology) {
  const Algorithm &balanced = *find_algorithm("balanced", all_gather);
  const Cut cut = balanced.by_segments->cut(topology, bytes);
  const Route route = balanced.by_segments->route(rank, topology, {.radix = 2}, cut);
  std::vector<int> senders;
  for (const Message &message : route.receives.messages(0)) senders.push_back(message.peer);
  return senders;
}

// Kang 2019, section 4.1. 40 bytes for two ranks, 20 each: rank 1 sends to both, the others to one.
TEST(GatherRoutes, BalancedReceivesFromTheLastOfSeveralTargetsFirst) {
  const std::vector<std::int64_t> bytes = {8, 20, 4, 8, 0, 0};
  EXPECT_EQ(senders_to(4, bytes, groups_of(4, 2)), (std::vector{1, 0}));
  EXPECT_EQ(senders_to(5, bytes, groups_of(4, 2)), (std::vector{2, 3, 1}));
}

// Both ends send to others too: the last first, then those between, then the first.
TEST(GatherRoutes, BalancedReceivesFromTheFirstOfSeveralTargetsLast) {
  const std::vector<std::int64_t> bytes = {14, 2, 2, 12, 0, 0, 0};
  EXPECT_EQ(senders_to(5, bytes, groups_of(4, 3)), (std::vector{3, 1, 2, 0}));
}

}  // namespace
}  // namespace rondo::internal
