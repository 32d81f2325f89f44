#include <gtest/gtest.h>

#include "route/print.hpp"
#include "tests/plans/node_maps.hpp"

namespace rondo::internal {
namespace {

std::string route_of(const char *name, int rank, const std::vector<int> &node_of, const Parameters &wished) {
  const Algorithm &algorithm = *find_algorithm(name);
  const Topology map = topology_of(node_of);
  return to_string(algorithm.route(rank, map, effective(algorithm, wished, map)));
}

// TuNA, figure 6 (b), with two ranks a node: rank 0 of its node keeps what is for ranks 0 of all nodes.
TEST(HierarchyByHand, CoalescedTwoNodesOfTwo) {
  EXPECT_EQ(route_of("tuna_hierarchical", 0, {0, 0, 1, 1}, {}),
            "rank 0 of 4, 2 steps\n"
            "step 0\n"
            "  -> rank 1: (0, 1) (0, 3)\n"
            "  <- rank 1: (1, 0) (1, 2)\n"
            "step 1\n"
            "  -> rank 2: (0, 2) (1, 2)\n"
            "  <- rank 2: (2, 0) (3, 0)\n");
}

// Figure 6 (a).
TEST(HierarchyByHand, StaggeredTwoNodesOfTwo) {
  EXPECT_EQ(route_of("tuna_hierarchical", 0, {0, 0, 1, 1}, {.block_count = 1, .pattern = Pattern::staggered}),
            "rank 0 of 4, 3 steps\n"
            "step 0\n"
            "  -> rank 1: (0, 1) (0, 3)\n"
            "  <- rank 1: (1, 0) (1, 2)\n"
            "step 1\n"
            "  -> rank 2: (0, 2)\n"
            "  <- rank 2: (2, 0)\n"
            "step 2\n"
            "  -> rank 2: (1, 2)\n"
            "  <- rank 2: (3, 0)\n");
}

// Figure 4 (a), with two ranks a node: what rank 0 has for rank 3 leaves without rank 1.
TEST(HierarchyByHand, ExplicitTwoNodesOfTwo) {
  EXPECT_EQ(route_of("tuna_explicit", 0, {0, 0, 1, 1}, {}),
            "rank 0 of 4, 2 steps\n"
            "step 0\n"
            "  -> rank 1: (0, 1)\n"
            "  <- rank 1: (1, 0)\n"
            "step 1\n"
            "  -> rank 2: (0, 2)\n"
            "  -> rank 3: (0, 3)\n"
            "  <- rank 3: (3, 0)\n"
            "  <- rank 2: (2, 0)\n");
}

// P = 6 with four ranks on a node, where published hierarchical codes fail. The node of two has no rank 2 or 3:
// what it has for ranks 2 and 3 goes by its ranks 0 and 1.
TEST(HierarchyByHand, SixRanksFourOnANode) {
  EXPECT_EQ(route_of("tuna_hierarchical", 4, {0, 0, 0, 0, 1, 1}, {}),
            "rank 4 of 6, 3 steps\n"
            "step 0\n"
            "  -> rank 5: (4, 1) (4, 3) (4, 5)\n"
            "  <- rank 5: (5, 0) (5, 2) (5, 4)\n"
            "step 1\n"
            "step 2\n"
            "  -> rank 0: (4, 0) (5, 0)\n"
            "  -> rank 2: (4, 2) (5, 2)\n"
            "  <- rank 2: (0, 4) (1, 4) (2, 4) (3, 4)\n");
}

TEST(HierarchyByHand, AggregatedSixRanksFourOnANode) {
  EXPECT_EQ(route_of("node_aggregated", 4, {0, 0, 0, 0, 1, 1}, {}),
            "rank 4 of 6, 3 steps\n"
            "step 0\n"
            "  -> rank 5: (4, 5)\n"
            "  <- rank 5: (5, 0) (5, 1) (5, 2) (5, 3) (5, 4)\n"
            "step 1\n"
            "  -> rank 0: (4, 0) (5, 0) (4, 1) (5, 1) (4, 2) (5, 2) (4, 3) (5, 3)\n"
            "  <- rank 0: (0, 4) (1, 4) (2, 4) (3, 4) (0, 5) (1, 5) (2, 5) (3, 5)\n"
            "step 2\n"
            "  -> rank 5: (0, 5) (1, 5) (2, 5) (3, 5)\n");
}

// Four nodes of one rank, radix 2: Bruck between nodes, and nothing to hand over.
TEST(HierarchyByHand, AggregatedByDigits) {
  EXPECT_EQ(route_of("node_aggregated", 1, {0, 1, 2, 3}, {.radix = 2}),
            "rank 1 of 4, 2 steps\n"
            "step 0\n"
            "  -> rank 0: (1, 0) (1, 2)\n"
            "  <- rank 2: (2, 1) (2, 3)\n"
            "step 1\n"
            "  -> rank 3: (1, 3) (2, 3)\n"
            "  <- rank 3: (3, 1) (0, 1)\n");
}

// Where every rank is the leader of what is for itself, it is there after the last step between nodes.
TEST(HierarchyByHand, AggregatedByDigitsHandsNothingOutWhenAllRanksLead) {
  EXPECT_EQ(route_of("node_aggregated", 0, {0, 0, 1, 1, 2, 2}, {.radix = 2}),
            "rank 0 of 6, 3 steps\n"
            "step 0\n"
            "  -> rank 1: (0, 1) (0, 3) (0, 5)\n"
            "  <- rank 1: (1, 0) (1, 2) (1, 4)\n"
            "step 1\n"
            "  -> rank 4: (0, 4) (1, 4)\n"
            "  <- rank 2: (2, 0) (3, 0)\n"
            "step 2\n"
            "  -> rank 2: (0, 2) (1, 2)\n"
            "  <- rank 4: (4, 0) (5, 0)\n");
}

TEST(HierarchyByHand, AggregatedOnOneNodeIsOneStep) {
  EXPECT_EQ(route_of("node_aggregated", 1, {0, 0, 0}, {}),
            "rank 1 of 3, 1 steps\n"
            "step 0\n"
            "  -> rank 2: (1, 2)\n"
            "  -> rank 0: (1, 0)\n"
            "  <- rank 0: (0, 1)\n"
            "  <- rank 2: (2, 1)\n");
}

}  // namespace
}  // namespace rondo::internal
