// The messages that an algorithm names without their blocks are those of its routes.

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "tests/plans/node_maps.hpp"
#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

std::vector<std::tuple<int, int, std::int64_t>> sorted(const std::vector<Sending> &sendings) {
  std::vector<std::tuple<int, int, std::int64_t>> all;
  for (const Sending &one : sendings) all.emplace_back(one.step, one.peer, one.blocks);
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Sending> sendings_of(const Route &route) {
  std::vector<Sending> all;
  for (int step = 0; step < route.steps(); ++step) {
    for (const Message &message : route.sends.messages(step)) all.push_back({step, message.peer, message.count});
  }
  return all;
}

class SendingsOf : public testing::TestWithParam<const Algorithm *> {};

TEST_P(SendingsOf, AreTheMessagesOfTheRoute) {
  const Algorithm &algorithm = *GetParam();
  int named = 0;
  for (const Topology &map : node_maps_up_to(32)) {
    const NodeIndex nodes(map);
    for (const Parameters &parameters : parameters_on(algorithm, map)) {
      if (!algorithm.obstacle({.topology = map}, parameters).empty()) continue;
      for (int rank = 0; rank < map.ranks; ++rank) {
        const auto sendings = algorithm.sendings(rank, nodes, parameters);
        if (!sendings) continue;
        ++named;
        ASSERT_EQ(sorted(*sendings), sorted(sendings_of(algorithm.route(rank, map, parameters))))
            << "rank " << rank << ", " << describe(map, parameters);
      }
    }
  }
  EXPECT_GT(named, 1000);
}

TEST_P(SendingsOf, AreNamedWhereAllNodesHaveThirtyTwoRanks) {
  const Algorithm &algorithm = *GetParam();
  const Topology map = topology_of(nodes_of_sizes(1024, {32}));
  const NodeIndex nodes(map);
  for (const int leaders : {1, 4, 32}) {
    for (const int radix : {2, 32, 1024}) {
      const Parameters parameters = effective(algorithm, {.radix = radix, .leaders = leaders}, map);
      for (const int rank : {0, 31, 500}) {
        const auto sendings = algorithm.sendings(rank, nodes, parameters);
        ASSERT_TRUE(sendings.has_value());
        EXPECT_EQ(sorted(*sendings), sorted(sendings_of(algorithm.route(rank, map, parameters))));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllToAlls, SendingsOf, testing::ValuesIn(routed_algorithms()),
                         [](const auto &instance) { return std::string(instance.param->name); });

}  // namespace
}  // namespace rondo::internal
