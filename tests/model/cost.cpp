#include "model/outline_estimate.hpp"

#include <gtest/gtest.h>

#include "model/scratch.hpp"
#include "route/nodes.hpp"
#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t block = 100;

Features uniform(int ranks) {
  Features features;
  features.situation = {{.ranks = ranks, .node_of = {}}, block, block};
  features.most_sent = (ranks - 1) * block;
  features.most_peers = ranks - 1;
  return features;
}

Estimate estimate_of(std::string_view name, const Features &features, const Parameters &wished = {}) {
  const Algorithm &algorithm = *find_algorithm(name);
  const Topology &topology = features.situation.topology;
  const Outline outline = algorithm.outline(topology, effective(algorithm, wished, topology));
  return estimate_by_outline(algorithm, outline, features, count_nodes(topology));
}

TEST(Estimate, MeanBlockIsOverAllOthers) {
  Features features = uniform(5);
  features.most_sent = 40;

  EXPECT_EQ(features.mean_block(), 10);
  EXPECT_EQ(uniform(1).mean_block(), 0);
}

TEST(Estimate, DirectExchange) {
  const Estimate direct = estimate_of("linear", uniform(9));

  EXPECT_EQ(direct.steps, 1);
  EXPECT_EQ(direct.messages, 8);
  EXPECT_EQ(direct.bytes, 8 * block);
  EXPECT_EQ(direct.copied_bytes, 0);
}

TEST(Estimate, TunaOfRadixTwoOnEightRanks) {
  const Estimate tuna = estimate_of("tuna", uniform(8), {.radix = 2});

  EXPECT_EQ(tuna.steps, 3);
  EXPECT_EQ(tuna.messages, 3);
  EXPECT_EQ(tuna.bytes, 12 * block);
}

TEST(Estimate, EmptyBlocksAreNoMessagesOfADirectExchange) {
  Features features = uniform(9);
  features.most_peers = 2;
  features.most_sent = 2 * block;

  EXPECT_EQ(estimate_of("linear", features).messages, 2);
  EXPECT_EQ(estimate_of("tuna", features, {.radix = 2}).messages, 4);
}

TEST(Estimate, PaddingCountsTheLargestBlock) {
  Features features = uniform(4);
  features.situation.largest_block = 1000;

  EXPECT_EQ(estimate_of("padded_alltoall", features).bytes, 3 * 1000);
  EXPECT_EQ(estimate_of("linear", features).bytes, 3 * block);
}

TEST(Estimate, SecondsAreTheSumOfTheParts) {
  const CostModel model{.step = 1000, .message = 100, .byte = 10, .copied_byte = 1, .native_overhead = 0};
  const Algorithm &tuna = *find_algorithm("tuna");
  Features with_model = uniform(4);
  with_model.costs = model;

  const Estimate result =
      estimate_by_outline(tuna, tuna.outline({4, {}}, effective(tuna, {.radix = 2}, 4)), with_model, 1);

  EXPECT_EQ(result.seconds, 1000 * result.steps + 100 * result.messages + 10 * result.bytes + result.copied_bytes);
}

TEST(Estimate, NativeCostsItsCallMore) {
  const CostModel model;

  const double more = estimate_of("native", uniform(4)).seconds - estimate_of("linear", uniform(4)).seconds;

  EXPECT_NEAR(more, model.native_overhead, 1e-12);
}

TEST(Estimate, WhereNoRankSendsAndReceivesEachDoesHalf) {
  Features features = uniform(4);
  const double both_ways = estimate_of("linear", features).seconds;

  features.one_way = true;
  EXPECT_DOUBLE_EQ(estimate_of("linear", features).seconds, both_ways / 2);
  features.turns = 2;
  EXPECT_LT(estimate_of("linear", features).moving, both_ways / 4);
}

TEST(Estimate, WhereRanksTakeTurnsASenderWaitsOnceInAsManyStartsAsThereAreBanks) {
  Features features = uniform(4);
  features.shares_memory = true;
  features.one_way = true;
  features.turns = 2;
  const double in_each = estimate_of("spread_out", features).synchronising;

  features.banks = 32;

  EXPECT_DOUBLE_EQ(estimate_of("spread_out", features).synchronising, in_each / 16);
}

TEST(Estimate, WhatPadsOrForwardsHasTwoBanks) {
  Features two = uniform(4);
  two.shares_memory = two.one_way = true;
  two.turns = 2;
  Features more = two;
  more.banks = 32;

  for (const char *name : {"padded_alltoall", "two_phase_bruck", "tuna"}) {
    EXPECT_DOUBLE_EQ(estimate_of(name, more).synchronising, estimate_of(name, two).synchronising) << name;
  }
}

TEST(Estimate, OneRankSendsNothing) {
  for (const Algorithm *algorithm : algorithms()) {
    const Estimate alone = estimate_of(algorithm->name, uniform(1));

    EXPECT_EQ(alone.messages, 0) << algorithm->name;
    EXPECT_EQ(alone.bytes, 0) << algorithm->name;
  }
}

TEST(Estimate, GrowsWithTheBlocks) {
  for (const Algorithm *algorithm : algorithms()) {
    Features longer = uniform(8);
    longer.most_sent *= 10;
    longer.situation.largest_block *= 10;

    EXPECT_GT(estimate_of(algorithm->name, longer).seconds, estimate_of(algorithm->name, uniform(8)).seconds)
        << algorithm->name;
  }
}

TEST(MostScratch, DirectExchangesNeedNone) {
  const Features features = uniform(16);

  for (const char *name : {"native", "linear", "spread_out", "scattered", "pairwise", "exclusive_or"}) {
    EXPECT_EQ(most_scratch(*find_algorithm(name), {}, features), 0) << name;
  }
}

TEST(MostScratch, ForwardingGrowsWithTheLargestBlock) {
  Features features = uniform(16);
  const Algorithm &tuna = *find_algorithm("tuna");
  const Parameters parameters = effective(tuna, {}, 16);
  const std::int64_t before = most_scratch(tuna, parameters, features);

  features.situation.largest_block *= 3;

  EXPECT_EQ(most_scratch(tuna, parameters, features), 3 * before);
}

}  // namespace
}  // namespace rondo::internal
