#include <gtest/gtest.h>

#include "route/check.hpp"
#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 64;

class RoutesOf : public testing::TestWithParam<const Algorithm *> {};

Outline outline_of(const Route &route) {
  return {.steps = route.steps(),
          .messages = static_cast<std::int64_t>(route.sends.messages().size()),
          .block_moves = static_cast<std::int64_t>(route.sends.blocks().size())};
}

bool operator==(const Outline &a, const Outline &b) {
  return a.steps == b.steps && a.messages == b.messages && a.block_moves == b.block_moves;
}

TEST_P(RoutesOf, KeepTheRules) {
  const Algorithm &algorithm = *GetParam();

  for (const Setting &setting : settings_up_to(algorithm, most_ranks)) {
    const std::vector<Route> routes = routes_of_all_ranks(algorithm, setting);

    ASSERT_EQ(check_routes(routes), "") << describe(setting);
  }
}

TEST_P(RoutesOf, AreAsTheOutlineSays) {
  const Algorithm &algorithm = *GetParam();

  for (const Setting &setting : settings_up_to(algorithm, most_ranks)) {
    const Outline outline = algorithm.outline(setting.topology(), setting.parameters);

    for (const Route &route : routes_of_all_ranks(algorithm, setting)) {
      ASSERT_TRUE(outline_of(route) == outline) << describe(setting) << ", rank " << route.rank;
    }
  }
}

TEST_P(RoutesOf, AreEmptyForOneRank) {
  const Algorithm &algorithm = *GetParam();
  const Setting alone = settings(algorithm, 1).at(0);

  const Route route = algorithm.route(0, alone.topology(), alone.parameters);

  EXPECT_EQ(route.steps(), 0);
  EXPECT_TRUE(route.sends.messages().empty());
}

TEST_P(RoutesOf, AreOneMessageEachWayForTwoRanks) {
  const Algorithm &algorithm = *GetParam();
  const Setting pair = settings(algorithm, 2).at(0);

  const Route route = algorithm.route(1, pair.topology(), pair.parameters);

  ASSERT_EQ(route.steps(), 1);
  ASSERT_EQ(route.sends.blocks().size(), 1U);
  EXPECT_EQ(route.sends.blocks()[0], (Block{1, 0}));
  EXPECT_EQ(route.receives.blocks()[0], (Block{0, 1}));
}

INSTANTIATE_TEST_SUITE_P(Table, RoutesOf, testing::ValuesIn(routed_algorithms()),
                         [](const auto &instance) { return std::string(instance.param->name); });

}  // namespace
}  // namespace rondo::internal
