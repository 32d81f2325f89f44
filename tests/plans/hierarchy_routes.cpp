// The hierarchical algorithms on every node map: even, uneven, shuffled, nodes of one rank, one node.

#include <gtest/gtest.h>

#include "route/check.hpp"
#include "tests/plans/node_maps.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 32;

class HierarchyOf : public testing::TestWithParam<const Algorithm *> {};

// The most of any rank.
Outline busiest(const std::vector<Route> &routes) {
  Outline most;
  for (const Route &route : routes) {
    most.steps = std::max<std::int64_t>(most.steps, route.steps());
    most.messages = std::max(most.messages, static_cast<std::int64_t>(route.sends.messages().size()));
    most.block_moves = std::max(most.block_moves, static_cast<std::int64_t>(route.sends.blocks().size()));
  }
  return most;
}

TEST_P(HierarchyOf, KeepsTheRules) {
  const Algorithm &algorithm = *GetParam();

  for (const Topology &map : node_maps_up_to(most_ranks)) {
    for (const Parameters &parameters : parameters_on(algorithm, map)) {
      ASSERT_EQ(check_routes(routes_on(algorithm, map, parameters)), "") << describe(map, parameters);
    }
  }
}

TEST_P(HierarchyOf, IsAsTheOutlineSaysOfTheBusiestRank) {
  const Algorithm &algorithm = *GetParam();

  for (const Topology &map : node_maps_up_to(most_ranks)) {
    for (const Parameters &parameters : parameters_on(algorithm, map)) {
      const Outline outline = algorithm.outline(map, parameters);
      const Outline counted = busiest(routes_on(algorithm, map, parameters));

      ASSERT_EQ(outline.steps, counted.steps) << describe(map, parameters);
      ASSERT_EQ(outline.messages, counted.messages) << describe(map, parameters);
      ASSERT_EQ(outline.block_moves, counted.block_moves) << describe(map, parameters);
    }
  }
}

TEST_P(HierarchyOf, HasNoEmptyMessages) {
  const Algorithm &algorithm = *GetParam();

  for (const Topology &map : node_maps_up_to(most_ranks)) {
    for (const Parameters &parameters : parameters_on(algorithm, map)) {
      for (const Route &route : routes_on(algorithm, map, parameters)) {
        for (const Message &message : route.sends.messages()) ASSERT_GT(message.count, 0U) << describe(map, parameters);
      }
    }
  }
}

// A step in which nobody does anything would be one too many.
TEST_P(HierarchyOf, HasNoIdleSteps) {
  const Algorithm &algorithm = *GetParam();

  for (const Topology &map : node_maps_up_to(most_ranks)) {
    for (const Parameters &parameters : parameters_on(algorithm, map)) {
      const std::vector<Route> routes = routes_on(algorithm, map, parameters);
      for (int step = 0; step < routes[0].steps(); ++step) {
        const bool busy = std::any_of(routes.begin(), routes.end(),
                                      [&](const Route &route) { return !route.sends.messages(step).empty(); });
        ASSERT_TRUE(busy) << "step " << step << ", " << describe(map, parameters);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, HierarchyOf, testing::ValuesIn(hierarchical_algorithms()),
                         [](const auto &instance) { return std::string(instance.param->name); });

}  // namespace
}  // namespace rondo::internal
