// The hierarchical algorithms deliver on every node map: planned for all ranks in one process, the schedules proved
// and run. Their routes are proved in hierarchy_routes.cpp.

#include <gtest/gtest.h>

#include "tests/plans/node_maps.hpp"
#include "tests/schedule/memory.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 32;

std::string first_fault(const Algorithm &algorithm, const Topology &map, const Parameters &parameters,
                        const std::vector<Exchange> &world) {
  return delivery_fault(plan_all(algorithm, parameters, map, world).schedules, world);
}

class HierarchyDelivers : public testing::TestWithParam<const Algorithm *> {};

TEST_P(HierarchyDelivers, IrregularBlocksInAnyOrder) {
  const Algorithm &algorithm = *GetParam();

  for (const Topology &map : node_maps_up_to(most_ranks)) {
    const auto world = gapped_world(map.ranks, irregular, static_cast<unsigned>(map.ranks));
    for (const Parameters &parameters : parameters_on(algorithm, map)) {
      ASSERT_EQ(first_fault(algorithm, map, parameters, world), "") << describe(map, parameters);
    }
  }
}

struct Distribution {
  const char *name;
  SizeOf size_of;
};

TEST_P(HierarchyDelivers, WhateverTheDistribution) {
  const Algorithm &algorithm = *GetParam();
  const std::vector<Distribution> distributions = {
      {"constant", constant(8)},
      {"empty", constant(0)},
      {"one sender", [](int source, int) { return source == 0 ? 99 : 0; }},
      {"one receiver", [](int source, int destination) { return destination == 1 ? source + 40 : 0; }},
      {"one block", [](int source, int destination) { return source == 1 && destination == 0 ? 1000 : 0; }},
      {"neighbours", [](int s, int d) { return s - d == 1 || d - s == 1 ? 8 : 0; }},
  };

  for (const int ranks : {1, 2, 3, 5, 6, 8, 13, 24}) {
    for (const Topology &map : node_maps(ranks)) {
      for (const Distribution &distribution : distributions) {
        const auto world = dense_world(ranks, distribution.size_of);
        for (const Parameters &parameters : parameters_on(algorithm, map)) {
          ASSERT_EQ(first_fault(algorithm, map, parameters, world), "")
              << distribution.name << ", " << describe(map, parameters);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, HierarchyDelivers, testing::ValuesIn(hierarchical_algorithms()),
                         [](const auto &instance) { return std::string(instance.param->name); });

}  // namespace
}  // namespace rondo::internal
