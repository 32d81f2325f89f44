#include <gtest/gtest.h>

#include "route/check.hpp"
#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 64;

Outline outline_of(const Route &route) {
  return {.steps = route.steps(),
          .messages = static_cast<std::int64_t>(route.sends.messages().size()),
          .block_moves = static_cast<std::int64_t>(route.sends.blocks().size())};
}

bool operator==(const Outline &a, const Outline &b) {
  return a.steps == b.steps && a.messages == b.messages && a.block_moves == b.block_moves;
}

// Of each figure, that of the rank which has most of it.
Outline most_of(const std::vector<Route> &routes) {
  Outline most;
  for (const Route &route : routes) {
    const Outline own = outline_of(route);
    most.steps = std::max(most.steps, own.steps);
    most.messages = std::max(most.messages, own.messages);
    most.block_moves = std::max(most.block_moves, own.block_moves);
  }
  return most;
}

class RoutesOf : public testing::TestWithParam<Listed> {};

TEST_P(RoutesOf, KeepTheRules) {
  const auto &[kind, algorithm] = GetParam();

  for (const Setting &setting : settings_up_to(*algorithm, most_ranks)) {
    const std::vector<Route> routes = routes_of_all_ranks(*algorithm, setting);

    ASSERT_EQ(check_routes(routes, setting.topology(), *kind), "") << describe(setting);
  }
}

TEST_P(RoutesOf, AreAtMostAsTheOutlineSays) {
  const Algorithm &algorithm = *GetParam().algorithm;

  for (const Setting &setting : settings_up_to(algorithm, most_ranks)) {
    const Outline outline = algorithm.outline(setting.topology(), setting.parameters);

    const Outline most = most_of(routes_of_all_ranks(algorithm, setting));

    ASSERT_TRUE(most == outline) << describe(setting);
  }
}

TEST_P(RoutesOf, AreEmptyForOneRank) {
  const Algorithm &algorithm = *GetParam().algorithm;
  const Setting alone = settings(algorithm, 1).at(0);

  const Route route = algorithm.route(0, alone.topology(), alone.parameters);

  EXPECT_EQ(route.steps(), 0);
  EXPECT_TRUE(route.sends.messages().empty());
}

INSTANTIATE_TEST_SUITE_P(Table, RoutesOf, testing::ValuesIn(routed_by_destination()),
                         [](const auto &instance) { return name_of(instance.param); });

class AllToAllRoutesOf : public testing::TestWithParam<const Algorithm *> {};

TEST_P(AllToAllRoutesOf, AreOnEveryRankAsTheOutlineSays) {
  const Algorithm &algorithm = *GetParam();

  for (const Setting &setting : settings_up_to(algorithm, most_ranks)) {
    const Outline outline = algorithm.outline(setting.topology(), setting.parameters);

    for (const Route &route : routes_of_all_ranks(algorithm, setting)) {
      ASSERT_TRUE(outline_of(route) == outline) << describe(setting) << ", rank " << route.rank;
    }
  }
}

TEST_P(AllToAllRoutesOf, AreOneMessageEachWayForTwoRanks) {
  const Algorithm &algorithm = *GetParam();
  const Setting pair = settings(algorithm, 2).at(0);

  const Route route = algorithm.route(1, pair.topology(), pair.parameters);

  ASSERT_EQ(route.steps(), 1);
  ASSERT_EQ(route.sends.blocks().size(), 1U);
  EXPECT_EQ(route.sends.blocks()[0], (Block{1, 0}));
  EXPECT_EQ(route.receives.blocks()[0], (Block{0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Table, AllToAllRoutesOf, testing::ValuesIn(routed_algorithms()),
                         [](const auto &instance) { return std::string(instance.param->name); });

}  // namespace
}  // namespace rondo::internal
