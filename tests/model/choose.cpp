#include "model/choose.hpp"

#include <gtest/gtest.h>

#include <set>

#include "exchange/error.hpp"

namespace rondo::internal {
namespace {

// Every rank sends every other one block of this size.
Features uniform(int ranks, std::int64_t bytes) {
  Features features;
  features.situation = {{.ranks = ranks, .node_of = {}}, bytes, bytes};
  features.most_sent = (ranks - 1) * bytes;
  features.most_peers = bytes > 0 ? ranks - 1 : 0;
  return features;
}

// Every rank sends to this many others only.
Features sparse(int ranks, std::int64_t bytes, int peers) {
  Features features = uniform(ranks, bytes);
  features.situation.smallest_block = 0;
  features.most_sent = peers * bytes;
  features.most_peers = peers;
  return features;
}

Error refusal_of(const Features &features, const Wish &wish) {
  try {
    choose(features, wish);
  } catch (const Error &error) {
    return error;
  }
  return {Fault::none, "no error"};
}

std::set<std::string_view> names(const std::vector<Choice> &choices) {
  std::set<std::string_view> found;
  for (const Choice &choice : choices) found.insert(choice.algorithm->name);
  return found;
}

// ---- Candidates --------------------------------------------------------------------------------------------

TEST(Candidates, CheapestFirst) {
  const std::vector<Choice> found = candidates(uniform(64, 8), {});

  ASSERT_GT(found.size(), 10U);
  for (std::size_t i = 1; i < found.size(); ++i) {
    EXPECT_LE(found[i - 1].estimate.seconds, found[i].estimate.seconds);
  }
}

TEST(Candidates, NativeIsAlwaysOne) {
  for (const int ranks : {1, 2, 3, 64}) {
    EXPECT_TRUE(names(candidates(uniform(ranks, 100), {})).contains("native")) << ranks;
    EXPECT_TRUE(names(candidates(uniform(ranks, 0), {})).contains("native")) << ranks;
  }
}

TEST(Candidates, OnlyThoseThatServeTheCase) {
  const auto found = names(candidates(sparse(6, 8, 2), {}));

  EXPECT_FALSE(found.contains("exclusive_or"));  // 6 is no power of two
  EXPECT_FALSE(found.contains("basic_bruck"));   // blocks of 0 and of 8 bytes
  EXPECT_TRUE(found.contains("tuna"));
}

TEST(Candidates, OfOneStepAndNativeWhereMessagesMayBeSentAtTheStartOnly) {
  Features features = uniform(64, 8);
  features.situation.sends_at_start_only = true;

  const std::vector<Choice> found = candidates(features, {});

  EXPECT_EQ(names(found), (std::set<std::string_view>{"native", "linear", "spread_out"}));
}

TEST(Candidates, EachWithItsParametersOnce) {
  std::set<std::tuple<std::string_view, int, int>> seen;
  Features features = uniform(4, 8);

  for (const Choice &choice : candidates(features, {.algorithm = "tuna", .parameters = {}, .scratch_limit = {}})) {
    EXPECT_TRUE(seen.emplace(choice.algorithm->name, choice.parameters.radix, choice.parameters.block_count).second)
        << choice.algorithm->name << " radix " << choice.parameters.radix;
  }

  EXPECT_EQ(seen.size(), 3U);  // radix 2, 3, 4
}

TEST(Candidates, WishedRadixIsTheOnlyOne) {
  const auto found = candidates(uniform(64, 8), {.algorithm = "tuna", .parameters = {.radix = 5}, .scratch_limit = {}});

  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().parameters.radix, 5);
}

TEST(Candidates, RadixAboveTheNumberOfRanksIsThatNumber) {
  const auto found =
      candidates(uniform(7, 8), {.algorithm = "tuna", .parameters = {.radix = 100}, .scratch_limit = {}});

  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().parameters.radix, 7);
}

TEST(Candidates, AWishLeavesAChoiceWhereThereAreSeveral) {
  const auto leaves = [](const char *algorithm, const Parameters &parameters) {
    return leaves_choice({.algorithm = algorithm, .parameters = parameters, .scratch_limit = {}}, all_to_all,
                         {.ranks = 8, .node_of = {0, 0, 0, 0, 1, 1, 1, 1}});
  };

  EXPECT_TRUE(leaves("", {}));
  EXPECT_FALSE(leaves("spread_out", {}));
  EXPECT_TRUE(leaves("tuna", {}));
  EXPECT_FALSE(leaves("tuna", {.radix = 2}));
  EXPECT_TRUE(leaves("tuna_hierarchical", {.radix = 2})) << "coalesced or staggered";
  EXPECT_FALSE(leaves("tuna_hierarchical", {.radix = 2, .pattern = Pattern::staggered}));
  EXPECT_FALSE(leaves("no_such", {}));
}

// ---- The choice --------------------------------------------------------------------------------------------

TEST(Choose, FewStepsForManyShortBlocks) {
  const Choice choice = choose(uniform(1024, 8), {});

  EXPECT_LT(choice.estimate.messages, 200);
}

TEST(Choose, OneHopForLongBlocks) {
  const Choice choice = choose(uniform(64, 1 << 20), {});

  EXPECT_TRUE(choice.algorithm->layout == Layout::direct || choice.algorithm->layout == Layout::native)
      << choice.algorithm->name;
}

TEST(Choose, OneHopForFewPeers) {
  const Choice choice = choose(sparse(1024, 8, 2), {});

  EXPECT_TRUE(choice.algorithm->layout == Layout::direct || choice.algorithm->layout == Layout::native)
      << choice.algorithm->name;
  EXPECT_EQ(choice.estimate.messages, 2);
}

TEST(Choose, EveryAlgorithmCanBeAskedFor) {
  for (const Algorithm *algorithm : algorithms()) {
    const Wish wish{.algorithm = std::string(algorithm->name), .parameters = {}, .scratch_limit = {}};

    EXPECT_EQ(choose(uniform(8, 16), wish).algorithm, algorithm) << algorithm->name;
  }
}

TEST(Choose, ParametersThatAnAlgorithmDoesNotTakeAreIgnored) {
  const Wish wish{.algorithm = "pairwise", .parameters = {.radix = 3, .block_count = 2}, .scratch_limit = {}};

  EXPECT_EQ(choose(uniform(8, 16), wish).parameters, Parameters());
}

TEST(Choose, OneRank) {
  EXPECT_NO_THROW(choose(uniform(1, 16), {}));
  EXPECT_NO_THROW(choose(uniform(1, 0), {.algorithm = "tuna", .parameters = {}, .scratch_limit = {}}));
}

// ---- Refusals ----------------------------------------------------------------------------------------------

TEST(Choose, UnknownAlgorithmListsThoseThereAre) {
  const Error error = refusal_of(uniform(4, 8), {.algorithm = "tunafish", .parameters = {}, .scratch_limit = {}});

  EXPECT_EQ(error.fault, Fault::algorithm);
  EXPECT_TRUE(error.message().starts_with("there is no algorithm 'tunafish'; there are native, ")) << error.message();
  for (const Algorithm *algorithm : algorithms()) {
    EXPECT_NE(error.message().find(std::string(algorithm->name)), std::string::npos) << algorithm->name;
  }
}

TEST(Choose, AlgorithmThatDoesNotServeTheCaseGivesItsReason) {
  const Error error = refusal_of(uniform(6, 8), {.algorithm = "exclusive_or", .parameters = {}, .scratch_limit = {}});

  EXPECT_EQ(error.fault, Fault::algorithm);
  EXPECT_EQ(error.message(), "exclusive_or is not applicable: the number of ranks must be a power of two, and is 6");
}

// ---- Scratch -----------------------------------------------------------------------------------------------

TEST(Choose, AlgorithmThatSendsAfterTheStartIsRefusedWhereThatMayNotBe) {
  Features features = uniform(16, 8);
  features.situation.sends_at_start_only = true;

  const Error error = refusal_of(features, {.algorithm = "tuna", .parameters = {}, .scratch_limit = {}});

  EXPECT_EQ(error.fault, Fault::algorithm);
  EXPECT_TRUE(error.message().starts_with("tuna is not applicable: it sends MPI messages after its start"))
      << error.message();
}

TEST(ScratchLimit, OfNothingLeavesWhatNeedsNone) {
  const std::vector<Choice> found = candidates(uniform(64, 8), {.algorithm = {}, .parameters = {}, .scratch_limit = 0});

  ASSERT_FALSE(found.empty());
  for (const Choice &choice : found) {
    EXPECT_TRUE(choice.algorithm->layout == Layout::direct || choice.algorithm->layout == Layout::native)
        << choice.algorithm->name;
  }
}

TEST(ScratchLimit, OfPlentyForbidsNothing) {
  const Wish plenty{.algorithm = {}, .parameters = {}, .scratch_limit = std::int64_t{1} << 40};

  EXPECT_EQ(candidates(uniform(64, 8), plenty).size(), candidates(uniform(64, 8), {}).size());
}

// Its real need is known only when it is planned.
TEST(ScratchLimit, DoesNotForbidWhatIsAskedForByName) {
  const Wish wish{.algorithm = "tuna", .parameters = {}, .scratch_limit = 1};

  EXPECT_EQ(choose(uniform(64, 8), wish).algorithm->name, "tuna");
}

// The MPI library's call waits for the ranks on a core in turn as well, and knows no shared memory.
TEST(Choose, SharedMemoryIsTakenBeforeNative) {
  for (const int ranks : {2, 3, 4, 8, 16}) {
    for (const int turns : {1, 2, 8}) {
      for (const std::int64_t bytes : {8, 512, 4096}) {
        Features features = uniform(ranks, bytes);
        features.shares_memory = true;
        features.turns = turns;

        const Choice choice = choose(features, {});

        EXPECT_NE(choice.algorithm->name, "native") << ranks << " ranks, " << turns << " turns, " << bytes;
        EXPECT_TRUE(turns == 1 || choice.estimate.steps == 1) << choice.algorithm->name;
      }
    }
  }
}

}  // namespace
}  // namespace rondo::internal
