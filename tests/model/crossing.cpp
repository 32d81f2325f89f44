// What of an algorithm's messages goes between nodes, and how the choice depends on it.

#include "model/crossing.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "model/choose.hpp"

namespace rondo::internal {
namespace {

// Nodes of so many ranks each, in rank order.
Topology on_nodes(int nodes, int ranks_each) {
  Topology topology{.ranks = nodes * ranks_each, .node_of = {}};
  for (int rank = 0; rank < topology.ranks; ++rank) topology.node_of.push_back(rank / ranks_each);
  return topology;
}

Crossing crossing(const char *name, const Topology &topology, const Parameters &wished = {}) {
  const Algorithm &algorithm = *find_algorithm(name);
  return crossing_of(algorithm, topology, NodeIndex(topology), effective(algorithm, wished, topology)).value();
}

// Every rank sends every other one block of this size, and ranks of a node share memory.
Features uniform(const Topology &topology, std::int64_t bytes) {
  Features features;
  features.situation = {topology, bytes, bytes};
  features.most_sent = (topology.ranks - 1) * bytes;
  features.most_peers = topology.ranks - 1;
  features.shares_memory = true;
  return features;
}

TEST(Crossing, OfAnExchangeInOneHop) {
  const Crossing direct = crossing("spread_out", on_nodes(4, 4));

  EXPECT_EQ(direct.near.most, 3);
  EXPECT_EQ(direct.far.most, 12);
  EXPECT_EQ(direct.far.mean, 12);
  EXPECT_EQ(direct.near_moves.most, 3);
  EXPECT_EQ(direct.far_moves.most, 12);
  EXPECT_EQ(direct.far_steps, 1);
}

TEST(Crossing, OfTheLibrarysOwnCallIsThatOfOneHop) {
  const Crossing direct = crossing("spread_out", on_nodes(3, 5));
  const Crossing native = crossing("native", on_nodes(3, 5));

  EXPECT_EQ(native.near.most, direct.near.most);
  EXPECT_EQ(native.far.mean, direct.far.mean);
  EXPECT_EQ(native.near_moves.most, direct.near_moves.most);
  EXPECT_EQ(native.far_moves.most, direct.far_moves.most);
  EXPECT_EQ(native.far_steps, direct.far_steps);
}

TEST(Crossing, OneRankOfANodeSpeaksForIt) {
  const Crossing by_leader = crossing("node_aggregated", on_nodes(4, 4), {.radix = 4, .leaders = 1});

  EXPECT_EQ(by_leader.far.most, 3);
  EXPECT_EQ(by_leader.far.mean, 0.75);
  EXPECT_EQ(by_leader.far_moves.most, 48);
}

TEST(Crossing, EveryRankOfANodeSpeaksToOneOfEachOther) {
  const Crossing by_all = crossing("tuna_hierarchical", on_nodes(4, 4), {.radix = 4, .pattern = Pattern::coalesced});

  EXPECT_EQ(by_all.far.most, 3);
  EXPECT_EQ(by_all.far.mean, 3);
}

TEST(Crossing, OfTheFirstNodeThatHasMostRanks) {
  const Topology uneven{.ranks = 6, .node_of = {0, 1, 1, 1, 2, 2}};

  EXPECT_EQ(crossing("spread_out", uneven).near.most, 2);
  EXPECT_EQ(crossing("spread_out", uneven).far.most, 3);
}

TEST(Crossing, OfManyRanksByTheFirstAndTheLastOfANode) {
  const Crossing direct = crossing("spread_out", on_nodes(32, 32));

  EXPECT_EQ(direct.near.mean, 31);
  EXPECT_EQ(direct.far.mean, 992);
}

TEST(Crossing, IsCountedOnManyRanksFromWhatTheAlgorithmNames) {
  const Crossing direct = crossing("spread_out", on_nodes(512, 32));
  EXPECT_EQ(direct.far.mean, 16384 - 32);
  EXPECT_EQ(direct.ranks, 32);

  const Crossing coalesced = crossing("tuna_hierarchical", on_nodes(512, 32), {.pattern = Pattern::coalesced});
  EXPECT_EQ(coalesced.far.most, 511);
  EXPECT_EQ(coalesced.far_moves.most, 511 * 32);
}

// By digits, over nodes of different sizes, where leaders' messages depend on their destinations.
TEST(Crossing, IsNotCountedWhereOnlyLongRoutesWouldTell) {
  const Algorithm &algorithm = *find_algorithm("node_aggregated");
  Topology uneven = on_nodes(128, 32);
  uneven.node_of.back() = 128;
  const Parameters parameters = effective(algorithm, {.radix = 2, .leaders = 4}, uneven);

  EXPECT_FALSE(crossing_of(algorithm, uneven, NodeIndex(uneven), parameters).has_value());
}

TEST(ChooseBetweenNodes, FewMessagesWhereTheyAreDear) {
  Features features = uniform(on_nodes(4, 4), 8);
  features.costs.step = 50e-6;
  features.costs.message = 10e-6;

  const std::string_view chosen = choose(features, {}).algorithm->name;

  EXPECT_TRUE(chosen == "node_aggregated" || chosen == "tuna_hierarchical") << chosen;
}

TEST(ChooseBetweenNodes, OneHopForLongBlocks) {
  Features features = uniform(on_nodes(4, 4), std::int64_t{1} << 20);
  features.costs.step = 2e-6;
  features.costs.message = 0.5e-6;

  EXPECT_EQ(choose(features, {}).algorithm->layout, Layout::direct);
}

// Where ranks take turns on the cores, what all of them do counts, and not only what the busiest does.
TEST(ChooseBetweenNodes, RanksThatTakeTurnsLeaveTheMessagesToOne) {
  Features features = uniform(on_nodes(4, 4), 8);
  features.costs.step = 50e-6;
  features.costs.message = 10e-6;
  features.turns = 8;

  EXPECT_EQ(choose(features, {}).algorithm->name, "node_aggregated");
}

// 16 ranks take turns on two cores, on four nodes, over a network like TCP: what is chosen for such blocks.
Choice chosen_for(std::int64_t block, double long_message, bool halves_messages = false) {
  Features features = uniform(on_nodes(4, 4), block);
  features.shares_memory = true;
  features.halves_messages = halves_messages;
  features.turns = 8;
  features.costs.step = 12e-6;
  features.costs.message = 7e-6;
  features.costs.far_byte = 0.4e-9;
  features.costs.long_message = long_message;
  return choose(features, {});
}

// A leader's message has 16 blocks here, one of the hierarchical way 4: of 4 KiB each only the leader's is longer than
// MPI libraries send at once, of 2 KiB none is, and of 64 KiB all are, but moving them takes longer than asking.
TEST(ChooseBetweenNodes, ShorterMessagesWhereLongOnesAreAskedForFirst) {
  const auto chosen = [](std::int64_t block, double long_message) { return chosen_for(block, long_message); };

  EXPECT_EQ(chosen(4096, 1e-9).algorithm->name, "node_aggregated");
  EXPECT_EQ(chosen(4096, 120e-6).algorithm->name, "tuna_hierarchical");
  EXPECT_EQ(chosen(2048, 120e-6).algorithm->name, "node_aggregated");
  EXPECT_EQ(chosen(2048, 120e-6).estimate.seconds, chosen(2048, 1e-9).estimate.seconds);
  EXPECT_EQ(chosen(std::int64_t{1} << 20, 120e-6).estimate.seconds,
            chosen(std::int64_t{1} << 20, 1e-9).estimate.seconds);
}

// The same where messages of up to twice that length go as two, at once: then a leader's is not asked for, and each
// pair of nodes has leaders of its own, as long messages keep a rank busy.
TEST(ChooseBetweenNodes, HalvedMessagesOfManyLeaders) {
  const auto chosen = [](std::int64_t block, double long_message) { return chosen_for(block, long_message, true); };

  EXPECT_EQ(chosen(4096, 120e-6).algorithm->name, "node_aggregated");
  EXPECT_EQ(chosen(4096, 120e-6).parameters.leaders, 3);
  EXPECT_EQ(chosen(4096, 120e-6).estimate.seconds, chosen(4096, 1e-9).estimate.seconds);
  EXPECT_EQ(chosen(2048, 120e-6).parameters.leaders, 1);
  EXPECT_EQ(chosen(8192, 120e-6).algorithm->name, "tuna_hierarchical") << "too long for two halves";
}

TEST(ChooseBetweenNodes, TheLibrarysOwnMessagesAreNotHalved) {
  const auto seconds = [](const char *algorithm, bool halves) {
    Features features = uniform(on_nodes(4, 4), 65536);
    features.halves_messages = halves;
    features.costs.long_message = 120e-6;
    return choose(features, {.algorithm = algorithm, .parameters = {}, .scratch_limit = {}}).estimate.seconds;
  };

  EXPECT_EQ(seconds("native", true), seconds("native", false));
  EXPECT_LT(seconds("spread_out", true), seconds("spread_out", false));
}

TEST(ChooseBetweenNodes, SendsOnlyToThoseThatHaveBlocks) {
  Features features = uniform(on_nodes(4, 4), 8);
  features.situation.smallest_block = 0;
  features.most_peers = 1;
  features.most_sent = 8;
  features.costs.step = 5e-6;
  features.costs.message = 10e-6;

  EXPECT_EQ(choose(features, {}).algorithm->layout, Layout::direct);
}

}  // namespace
}  // namespace rondo::internal
