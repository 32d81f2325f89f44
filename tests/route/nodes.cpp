#include "route/nodes.hpp"

#include <gtest/gtest.h>

#include "exchange/error.hpp"

namespace rondo::internal {
namespace {

std::vector<int> listed(std::span<const int> ranks) {
  return {ranks.begin(), ranks.end()};
}

TEST(NodeIndex, NoMapIsOneNode) {
  const NodeIndex nodes({.ranks = 3, .node_of = {}});

  EXPECT_EQ(nodes.nodes(), 1);
  EXPECT_EQ(nodes.largest(), 3);
  EXPECT_EQ(listed(nodes.members(0)), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(nodes.local_index(2), 2);
}

TEST(NodeIndex, EvenNodesHaveAsManyRanks) {
  EXPECT_TRUE(NodeIndex({.ranks = 4, .node_of = {1, 0, 0, 1}}).is_even());
  EXPECT_FALSE(NodeIndex({.ranks = 4, .node_of = {1, 0, 0, 0}}).is_even());
}

TEST(NodeIndex, GroupsNodesBySize) {
  const Groups by_size = NodeIndex({.ranks = 6, .node_of = {1, 0, 1, 2, 0, 3}}).nodes_by_size();

  EXPECT_EQ(by_size.groups(), 3);
  EXPECT_EQ(listed(by_size[1]), (std::vector<int>{2, 3}));
  EXPECT_EQ(listed(by_size[2]), (std::vector<int>{0, 1}));
}

TEST(NodeIndex, UnevenAndShuffled) {
  const NodeIndex nodes({.ranks = 6, .node_of = {1, 0, 1, 2, 1, 0}});

  EXPECT_EQ(nodes.ranks(), 6);
  EXPECT_EQ(nodes.nodes(), 3);
  EXPECT_EQ(nodes.largest(), 3);
  EXPECT_EQ(listed(nodes.members(0)), (std::vector<int>{1, 5}));
  EXPECT_EQ(listed(nodes.members(1)), (std::vector<int>{0, 2, 4}));
  EXPECT_EQ(listed(nodes.members(2)), (std::vector<int>{3}));
  EXPECT_EQ(listed(nodes.by_node()), (std::vector<int>{1, 5, 0, 2, 4, 3}));
  EXPECT_EQ(nodes.node_of(4), 1);
  EXPECT_EQ(nodes.local_index(4), 2);
  EXPECT_EQ(nodes.size(1), 3);
}

std::string fault_of(const Topology &topology) {
  try {
    const NodeIndex nodes(topology);
    return {};
  } catch (const Error &error) {
    return error.message();
  }
}

TEST(NodeIndex, NumbersHaveNoGaps) {
  EXPECT_EQ(fault_of({.ranks = 3, .node_of = {0, 2, 0}}), "node 1 of 3 has no rank");
}

TEST(NodeIndex, MapIsOfAllRanks) {
  EXPECT_EQ(fault_of({.ranks = 3, .node_of = {0, 0}}), "the node map is of 2 ranks, and there are 3");
}

TEST(PretendNodes, CutsOneNode) {
  EXPECT_EQ(pretend_nodes(std::vector<int>(6, 0), 4), (std::vector<int>{0, 0, 0, 0, 1, 1}));
}

TEST(PretendNodes, SizeOneIsARankANode) {
  EXPECT_EQ(pretend_nodes(std::vector<int>{0, 1, 0}, 1), (std::vector<int>{0, 1, 2}));
}

TEST(PretendNodes, LargeSizeLeavesNodesWhole) {
  EXPECT_EQ(pretend_nodes(std::vector<int>{0, 1, 0, 1}, 2), (std::vector<int>{0, 1, 0, 1}));
  EXPECT_EQ(pretend_nodes(std::vector<int>{0, 1, 0, 1}, 1000), (std::vector<int>{0, 1, 0, 1}));
}

TEST(PretendNodes, NeverJoinsRealNodes) {
  EXPECT_EQ(pretend_nodes(std::vector<int>{0, 1, 0, 1, 0, 1}, 2), (std::vector<int>{0, 1, 0, 1, 2, 3}));
}

TEST(PretendNodes, NumbersByFirstAppearance) {
  EXPECT_EQ(pretend_nodes(std::vector<int>{7, 3, 7, 7}, 2), (std::vector<int>{0, 1, 0, 2}));
}

TEST(PretendNodes, NoRanksNoNodes) {
  EXPECT_TRUE(pretend_nodes({}, 3).empty());
}

}  // namespace
}  // namespace rondo::internal
