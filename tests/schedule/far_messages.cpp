// What messages between nodes are made into, with every algorithm: halves, and datatypes where they are received.

#include <gtest/gtest.h>

#include <algorithm>

#include "plans/algorithm.hpp"
#include "tests/schedule/memory.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

constexpr TypedReceives all_typed{1000, 1};
constexpr TypedReceives some_typed{40, 10};

// On nodes of four ranks, by all wires. Of messages of the given length and longer some are halved, in some steps and
// not in others.
void expect_deliveries(const Algorithm &algorithm, const Topology &topology, const std::vector<Exchange> &world) {
  const Parameters parameters = effective(algorithm, {.radix = 2, .leaders = 2}, topology);
  Case situation = case_of(world);
  situation.topology = topology;
  if (algorithm.route == nullptr || !algorithm.obstacle(situation, parameters).empty()) return;
  for (const Wire wire : {Wire::packed, Wire::shared}) {
    for (const std::int64_t longest : {12, 23, 100}) {
      for (const TypedReceives &typed : {TypedReceives{}, some_typed, all_typed}) {
        const Planned planned =
            plan_all(algorithm, parameters, topology, world, wire, {topology.node_of, longest}, typed);
        ASSERT_EQ(delivery_fault(planned.schedules, world), "")
            << algorithm.name << " on " << topology.ranks << " ranks, longest " << longest << ", typed from "
            << typed.least_piece << " to " << typed.longest;
      }
    }
  }
}

TEST(FarMessages, EveryAlgorithmDelivers) {
  for (const int ranks : {2, 5, 9, 16}) {
    Topology topology{ranks, {}};
    for (int rank = 0; rank < ranks; ++rank) topology.node_of.push_back(rank / 4);
    const std::vector<Exchange> worlds[] = {gapped_world(ranks, irregular, 7), gapped_world(ranks, constant(24), 8)};
    for (const auto &world : worlds) {
      for (const Algorithm *algorithm : algorithms()) expect_deliveries(*algorithm, topology, world);
    }
  }
}

// That the test above has such messages.
TEST(FarMessages, SomeAreReceivedByDatatypes) {
  const Topology topology{8, {0, 0, 0, 0, 1, 1, 1, 1}};
  const std::vector<Exchange> world = gapped_world(8, constant(24), 8);

  const Planned planned = plan_all(*find_algorithm("node_aggregated"), {.radix = 2, .leaders = 1}, topology, world,
                                   Wire::shared, {}, all_typed);

  const auto receives = planned.schedules[0].receives;
  EXPECT_TRUE(std::ranges::any_of(
      receives, [](const Transfer &receive) { return receive.wire == Wire::datatype && !receive.staged(); }));
}

}  // namespace
}  // namespace rondo::internal
