#include <gtest/gtest.h>

#include "plans/parameter_words.hpp"
#include "tests/plans/node_maps.hpp"

namespace rondo::internal {
namespace {

Parameters effective_on(const char *name, const std::vector<int> &sizes, int ranks, const Parameters &wished) {
  return effective(*find_algorithm(name), wished, topology_of(nodes_of_sizes(ranks, sizes)));
}

TEST(HierarchyParameters, DefaultsOfTunaHierarchical) {
  EXPECT_EQ(effective_on("tuna_hierarchical", {4}, 256, {}),
            (Parameters{.radix = 2, .block_count = 32, .pattern = Pattern::coalesced}));
}

TEST(HierarchyParameters, RadixOfTunaHierarchicalIsAtMostTheLargestNode) {
  EXPECT_EQ(effective_on("tuna_hierarchical", {3, 5}, 16, {.radix = 100}).radix, 5);
  EXPECT_EQ(effective_on("tuna_hierarchical", {1}, 16, {.radix = 100}).radix, 2);
}

TEST(HierarchyParameters, BlockCountIsAtMostTheMessagesOfTheBusiestLeader) {
  EXPECT_EQ(effective_on("tuna_hierarchical", {4}, 16, {.block_count = 100}).block_count, 3);
  EXPECT_EQ(effective_on("tuna_hierarchical", {4}, 16, {.block_count = 100, .pattern = Pattern::staggered}).block_count,
            12);
  EXPECT_EQ(effective_on("tuna_hierarchical", {1, 7}, 8, {.block_count = 100}).block_count, 7);
  EXPECT_EQ(effective_on("tuna_hierarchical", {8}, 8, {.block_count = 100}).block_count, 1);
}

TEST(HierarchyParameters, DefaultsOfNodeAggregatedAreDirectAndAllRanks) {
  EXPECT_EQ(effective_on("node_aggregated", {4}, 32, {}), (Parameters{.radix = 8, .leaders = 4}));
}

TEST(HierarchyParameters, DirectNeedsNoMoreLeadersThanOtherNodes) {
  EXPECT_EQ(effective_on("node_aggregated", {8}, 24, {}), (Parameters{.radix = 3, .leaders = 2}));
  EXPECT_EQ(effective_on("node_aggregated", {8}, 24, {.radix = 2}), (Parameters{.radix = 2, .leaders = 8}));
}

TEST(HierarchyParameters, OneNodeHasOneLeader) {
  EXPECT_EQ(effective_on("node_aggregated", {8}, 8, {.radix = 5, .leaders = 5}),
            (Parameters{.radix = 2, .leaders = 1}));
}

TEST(HierarchyParameters, OthersTakeNeitherLeadersNorPattern) {
  const Parameters wished{.leaders = 3, .pattern = Pattern::staggered};

  EXPECT_EQ(effective_on("linear", {4}, 8, wished), Parameters{});
  EXPECT_EQ(effective_on("tuna_hierarchical", {4}, 8, wished).leaders, 0);
  EXPECT_EQ(effective_on("node_aggregated", {4}, 8, wished).pattern, Pattern::none);
}

TEST(ParameterWords, ReadBackWhatTheyWrite) {
  const Parameters all{.radix = 3, .block_count = 4, .leaders = 5, .pattern = Pattern::staggered};
  Parameters read;

  for (const ParameterWord &word : parameter_words()) EXPECT_TRUE(word.read(word.write(all), read)) << word.name;

  EXPECT_EQ(read, all);
}

TEST(ParameterWords, WriteNothingWhereNothingIsSaid) {
  for (const ParameterWord &word : parameter_words()) EXPECT_EQ(word.write({}), "") << word.name;
}

TEST(ParameterWords, RefuseWhatIsNotExpected) {
  for (const auto &[name, value] : std::vector<std::pair<const char *, const char *>>{{"radix", "0"},
                                                                                      {"radix", "4x"},
                                                                                      {"block_count", "0"},
                                                                                      {"leaders", "-1"},
                                                                                      {"leaders", "99999999999"},
                                                                                      {"pattern", "coalesce"},
                                                                                      {"pattern", ""}}) {
    Parameters untouched;
    EXPECT_FALSE(find_parameter_word(name)->read(value, untouched)) << name << "=" << value;
    EXPECT_EQ(untouched, Parameters{});
  }
}

TEST(ParameterWords, UnknownNameIsNotFound) {
  EXPECT_EQ(find_parameter_word("radius"), nullptr);
}

}  // namespace
}  // namespace rondo::internal
