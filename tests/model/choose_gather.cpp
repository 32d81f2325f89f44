// Which algorithm for all-gathers is chosen, and why.

#include "model/choose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "exchange/error.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t mebibyte = 1 << 20;

Features features_of(const Topology &topology, std::vector<std::int64_t> bytes) {
  Features features;
  features.situation.topology = topology;
  features.kind = &all_gather;
  features.bytes = std::move(bytes);
  return features;
}

Features one_group(std::vector<std::int64_t> bytes) {
  const int ranks = static_cast<int>(bytes.size());
  return features_of({.ranks = ranks, .node_of = {}}, std::move(bytes));
}

// Each rank of a group with so much.
Features two_groups(int first, std::int64_t of_first, int second, std::int64_t of_second) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(first), of_first);
  bytes.resize(static_cast<std::size_t>(first + second), of_second);
  return features_of({.ranks = first + second, .node_of = {}, .second_group = first}, std::move(bytes));
}

Wish wish_for(const char *algorithm, int radix = 0) {
  return {.algorithm = algorithm, .parameters = {.radix = radix}, .scratch_limit = {}};
}

double seconds_of(const Features &features, const char *algorithm, int radix) {
  return choose(features, wish_for(algorithm, radix)).estimate.seconds;
}

TEST(ChooseGather, OfOneStepOrNativeWhereMessagesMayBeSentAtTheStartOnly) {
  for (Features features : {one_group({8, 8, 8, 8}), two_groups(2, 8, 3, 8)}) {
    features.situation.sends_at_start_only = true;

    const std::vector<Choice> found = candidates(features, {});

    ASSERT_EQ(found.size(), 2U);
    for (const Choice &choice : found) {
      EXPECT_TRUE(choice.algorithm->name == "native" || choice.algorithm->name == "spread_out")
          << choice.algorithm->name;
    }
  }
}

TEST(ChooseGather, RingTakesAsLongAsItsLargestBundleInEveryStep) {
  std::vector<std::int64_t> bytes(64, 0);
  bytes[0] = mebibyte;
  const Features features = one_group(bytes);
  EXPECT_GT(seconds_of(features, "dissemination", 1), 60 * 0.1e-9 * mebibyte);
  EXPECT_LT(seconds_of(features, "dissemination", 2), seconds_of(features, "dissemination", 1));
  EXPECT_NE(choose(features, {}).parameters.radix, 1);
}

TEST(ChooseGather, LogTimeForLittleAndARingForMuch) {
  EXPECT_EQ(choose(one_group(std::vector<std::int64_t>(64, 8)), wish_for("dissemination")).parameters.radix, 2);
  EXPECT_EQ(choose(one_group(std::vector<std::int64_t>(64, mebibyte)), wish_for("dissemination")).parameters.radix, 1);
}

// Straight from each to each, a rank of the smaller group would send its data to all 48.
TEST(ChooseGather, CutsMuchDataOfTheSmallerGroup) {
  const Features features = two_groups(48, mebibyte / 16, 16, 4 * mebibyte);
  const Choice choice = choose(features, {});
  const std::set<std::string_view> those_that_cut{"segmented", "balanced", "two_stage"};
  EXPECT_EQ(those_that_cut.count(choice.algorithm->name), 1U) << choice.algorithm->name;
  EXPECT_LT(choice.estimate.seconds, seconds_of(features, "root_gathering", 0) / 3);
  EXPECT_LT(choice.estimate.seconds, seconds_of(features, "spread_out", 0) / 2);
}

TEST(ChooseGather, StraightToAllWhereGroupsHaveAsMuch) {
  EXPECT_EQ(choose(two_groups(48, mebibyte, 16, mebibyte), {}).algorithm->name, "spread_out");
}

TEST(ChooseGather, ScratchLimitLeavesOutWhatMightNeedMore) {
  Wish wish;
  wish.scratch_limit = 0;
  const Choice choice = choose(one_group(std::vector<std::int64_t>(8, 4)), wish);
  EXPECT_NE(choice.algorithm->layout, Layout::compact) << choice.algorithm->name;
}

TEST(ChooseGather, SumsBeyond64BitsAreAnError) {
  std::vector<std::int64_t> bytes(8, 0);
  bytes[3] = INT64_MAX / 2;
  bytes[4] = INT64_MAX / 2;
  bytes[5] = INT64_MAX / 2;
  EXPECT_THROW(choose(one_group(bytes), {}), Error);
}

}  // namespace
}  // namespace rondo::internal
