// What the choice says a plan may need, held against what plans of the hierarchical algorithms do need.

#include <gtest/gtest.h>

#include "model/scratch.hpp"
#include "schedule/run.hpp"
#include "tests/plans/node_maps.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

TEST(LeaderScratch, IsNeverMoreThanTheChoiceSays) {
  for (const int ranks : {1, 2, 5, 6, 8, 13, 32}) {
    const auto world = dense_world(ranks, irregular);
    for (const Topology &map : node_maps(ranks)) {
      Features features{case_of(world)};
      features.situation.topology = map;
      for (const Algorithm *algorithm : hierarchical_algorithms()) {
        for (const Parameters &parameters : parameters_on(*algorithm, map)) {
          const std::int64_t most = most_scratch(*algorithm, parameters, features);
          for (const Schedule &schedule : plan_all(*algorithm, parameters, map, world).schedules) {
            ASSERT_LE(schedule.scratch_bytes + schedule.staging_bytes, most) << describe(map, parameters);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace rondo::internal
