#include "cli/block_sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "all_sizes.hpp"

namespace rondo::internal::cli {
namespace {

double mean(const std::vector<std::int64_t> &sizes) {
  return static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})) /
         static_cast<double>(sizes.size());
}

TEST(BlockSizes, UniformIsBetweenNothingAndMax) {
  const auto sizes = all_sizes(parse_problem("alltoallv p=64 dist=uniform max=100"));

  EXPECT_EQ(*std::min_element(sizes.begin(), sizes.end()), 0);
  EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 100);
  EXPECT_NEAR(mean(sizes), 50, 2);
}

TEST(BlockSizes, WindowIsBetweenItsEdgeAndMax) {
  const auto sizes = all_sizes(parse_problem("alltoallv p=64 dist=window:20 max=100"));

  EXPECT_EQ(*std::min_element(sizes.begin(), sizes.end()), 80);
  EXPECT_EQ(*std::max_element(sizes.begin(), sizes.end()), 100);
}

TEST(BlockSizes, NormalHasItsMeanAndDeviation) {
  const auto sizes = all_sizes(parse_problem("alltoallv p=128 dist=normal max=6000"));
  double square = 0;
  for (const std::int64_t size : sizes) square += std::pow(static_cast<double>(size) - 3000, 2);

  EXPECT_NEAR(mean(sizes), 3000, 30);
  EXPECT_NEAR(std::sqrt(square / static_cast<double>(sizes.size())), 1000, 30);
  EXPECT_GE(*std::min_element(sizes.begin(), sizes.end()), 0);
  EXPECT_LE(*std::max_element(sizes.begin(), sizes.end()), 6000);
}

std::int64_t sent_at_paper_scale(const char *distribution) {
  const auto row = sizes_of_source(parse_problem(std::string("alltoallv p=4096 max=1024 dist=") + distribution), 0);
  return std::accumulate(row.begin(), row.end(), std::int64_t{0});
}

// Fan 2022, section 4.3: at P = 4,096 and N = 1,024 a process sends 203,928 bytes with a power law, which the base
// 0.995 gives, and 1,593,933 with the normal distribution.
TEST(BlockSizes, WhatThePaperSaysIsSentWithThem) {
  const auto own = sizes_of_source(parse_problem("alltoallv p=4096 max=1024 dist=powerlaw:0.995"), 0)[0];
  EXPECT_EQ(sent_at_paper_scale("powerlaw:0.995") - own, 203928);
  EXPECT_NEAR(static_cast<double>(sent_at_paper_scale("normal_ranks")), 1593933, 15939);
}

TEST(BlockSizes, NormalOverRanksIsLargestInTheMiddle) {
  for (const int ranks : {1, 2, 3, 5, 16, 64, 300}) {
    const Problem problem = parse_problem("alltoallv dist=normal_ranks max=5000 p=" + std::to_string(ranks));
    std::int64_t smallest = problem.largest;
    std::int64_t largest = 0;
    for (int source = 0; source < ranks; ++source) {
      const auto row = sizes_of_source(problem, source);
      const auto most = std::max_element(row.begin(), row.end());
      EXPECT_NEAR(static_cast<double>(most - row.begin()), ranks / 2.0, ranks / 10.0 + 1);
      EXPECT_LE(*most, 5000);
      EXPECT_GE(*most, 4500);
      smallest = std::min(smallest, *std::min_element(row.begin(), row.end()));
      largest = std::max(largest, *most);
    }
    const Case whole = BlockSizes(problem).whole_case();
    EXPECT_EQ(whole.smallest_block, smallest) << ranks;
    EXPECT_EQ(whole.largest_block, largest) << ranks;
  }
}

TEST(BlockSizes, PowerLawUsesEachExponentOncePerSource) {
  std::vector<std::int64_t> expected;
  for (int k = 0; k < 16; ++k) expected.push_back(static_cast<std::int64_t>(100000 * std::pow(0.99, k)));
  const Problem problem = parse_problem("alltoallv p=16 dist=powerlaw:0.99 max=100000");
  auto first = sizes_of_source(problem, 0);
  auto second = sizes_of_source(problem, 2);

  EXPECT_NE(first, second);
  std::sort(first.rbegin(), first.rend());
  std::sort(second.rbegin(), second.rend());
  EXPECT_EQ(first, expected);
  EXPECT_EQ(second, expected);
}

TEST(BlockSizes, SparseHasItsNumberOfPeers) {
  const Problem problem = parse_problem("alltoallv p=12 dist=sparse:3 max=5");
  for (int source = 0; source < 12; ++source) {
    const auto row = sizes_of_source(problem, source);

    EXPECT_EQ(std::count(row.begin(), row.end(), 5), 3);
    EXPECT_EQ(std::count(row.begin(), row.end(), 0), 9);
  }
}

TEST(BlockSizes, HotReceiversAreTheSameForAll) {
  const Problem problem = parse_problem("alltoallv p=12 dist=hot_receivers:3 max=5");
  const auto first = sizes_of_source(problem, 0);

  EXPECT_EQ(std::count(first.begin(), first.end(), 5), 3);
  EXPECT_EQ(std::count(first.begin(), first.end(), 0), 9);
  for (int source = 1; source < 12; ++source) EXPECT_EQ(sizes_of_source(problem, source), first);
}

using Row = std::vector<std::int64_t>;

// Kang 2019, section 5: groups that send more than each other (settings 3 and 4), sizes that form an arithmetic
// sequence (settings 6 and 8).
TEST(BlockSizes, GroupsAndSequencesOfSenders) {
  const Problem groups = parse_problem("alltoallv p=5 dist=by_group:4 max=10");
  EXPECT_EQ(sizes_of_source(groups, 0), Row(5, 10));
  EXPECT_EQ(sizes_of_source(groups, 2), Row(5, 10));
  EXPECT_EQ(sizes_of_source(groups, 3), Row(5, 2));

  const Problem sequence = parse_problem("alltoallv p=5 dist=arithmetic max=40");
  for (int source = 0; source < 5; ++source) EXPECT_EQ(sizes_of_source(sequence, source), Row(5, 10 * source));
}

// TuNA, section VI-A: at P = 32, of N1 the first 20 ranks have data and fill their first 25 blocks; of N2 the last rank
// has a quarter of what the others have.
TEST(BlockSizes, TransformsAreThoseOfThePaper) {
  const Problem few = parse_problem("alltoallv p=32 dist=fft:1 max=64");
  for (int source = 0; source < 32; ++source) {
    const auto row = sizes_of_source(few, source);
    for (int destination = 0; destination < 32; ++destination)
      EXPECT_EQ(row[destination], source < 20 && destination < 25 ? 64 : 0);
  }
  const Problem even = parse_problem("alltoallv p=32 dist=fft:2 max=512");
  EXPECT_EQ(sizes_of_source(even, 30), Row(32, 512));
  EXPECT_EQ(sizes_of_source(even, 31), Row(32, 128));
}

// TuNA, Figure 16a: mean 1,000 and deviation 240, at P = 4,096 and blocks of at most 1,024 bytes.
TEST(BlockSizes, NormalOverRanksHasTheMeanAndDeviationThatAreSaid) {
  const auto row = sizes_of_source(parse_problem("alltoallv p=4096 max=1024 dist=normal_ranks:1000:240"), 0);
  const double all = static_cast<double>(std::accumulate(row.begin(), row.end(), std::int64_t{0}));
  double center = 0;
  double square = 0;
  for (int rank = 0; rank < 4096; ++rank) center += rank * static_cast<double>(row[rank]) / all;
  for (int rank = 0; rank < 4096; ++rank) square += std::pow(rank - center, 2) * static_cast<double>(row[rank]) / all;

  EXPECT_NEAR(center, 1000, 5);
  EXPECT_NEAR(std::sqrt(square), 240, 5);
  EXPECT_NEAR(static_cast<double>(*std::max_element(row.begin(), row.end())), 1024, 30);
}

TEST(BlockSizes, OneHeavyRankSendsEverything) {
  const Problem problem = parse_problem("alltoallv p=7 dist=one_heavy max=5 seed=3");
  int heavy = 0;
  for (int source = 0; source < 7; ++source) {
    const auto row = sizes_of_source(problem, source);

    EXPECT_EQ(std::count(row.begin(), row.end(), row[0]), 7);
    heavy += row[0] == 5 ? 1 : 0;
  }
  EXPECT_EQ(heavy, 1);
}

TEST(BlockSizes, EmptyIsEmptyAndConstantIsConstant) {
  EXPECT_EQ(all_sizes(parse_problem("alltoallv p=3 dist=empty max=5")), std::vector<std::int64_t>(9, 0));
  EXPECT_EQ(all_sizes(parse_problem("alltoallv p=3 dist=constant max=5")), std::vector<std::int64_t>(9, 5));
}

TEST(BlockSizes, AnotherSeedGivesOtherSizes) {
  EXPECT_NE(all_sizes(parse_problem("alltoallv p=8 seed=1")), all_sizes(parse_problem("alltoallv p=8 seed=2")));
  EXPECT_EQ(all_sizes(parse_problem("alltoallv p=8 seed=1")), all_sizes(parse_problem("alltoallv p=8 seed=1")));
}

TEST(BlockSizes, ExtremesAreThoseOfAllBlocks) {
  for (const char *shape : {"uniform",
                            "window:50",
                            "normal",
                            "normal_ranks",
                            "powerlaw:0.9",
                            "powerlaw:0.999",
                            "constant",
                            "sparse:0",
                            "sparse:2",
                            "sparse:99",
                            "empty",
                            "one_heavy",
                            "hot_receivers:0",
                            "hot_receivers:2",
                            "hot_receivers:99",
                            "by_group:1",
                            "by_group:4.5",
                            "arithmetic",
                            "fft:1",
                            "fft:2",
                            "normal_ranks:1:2",
                            "normal_ranks:6:0.5",
                            "normal_ranks:500:9"}) {
    for (const int ranks : {1, 2, 3, 8, 21}) {
      const Problem problem = parse_problem(std::string("alltoallv max=37 dist=") + shape, ranks);
      const auto sizes = all_sizes(problem);
      const Case whole = case_of(problem);

      EXPECT_EQ(whole.smallest_block, *std::min_element(sizes.begin(), sizes.end())) << to_string(problem);
      EXPECT_EQ(whole.largest_block, *std::max_element(sizes.begin(), sizes.end())) << to_string(problem);
    }
  }
}

TEST(BlockSizes, AnAllGatherHasOneSizeOfEachSource) {
  for (const char *shape : {"uniform", "normal_ranks", "powerlaw:0.9", "sparse:2", "by_group:0.5", "arithmetic"}) {
    const Problem problem = parse_problem(std::string("allgatherv p=9 group=4 max=37 dist=") + shape);
    const Row bytes = BlockSizes(problem).contributions();
    const Case whole = case_of(problem);

    for (int source = 0; source < 9; ++source) EXPECT_EQ(sizes_of_source(problem, source), Row(9, bytes[source]));
    EXPECT_EQ(whole.smallest_block, *std::min_element(bytes.begin(), bytes.end())) << shape;
    EXPECT_EQ(whole.largest_block, *std::max_element(bytes.begin(), bytes.end())) << shape;
    EXPECT_EQ(whole.topology.second_group, 4);
  }
  EXPECT_EQ(BlockSizes(parse_problem("allgatherv p=5 group=2 max=10 dist=by_group:0.5")).contributions(),
            (Row{5, 5, 10, 10, 10}));
}

TEST(BlockSizes, NothingOverflowsAtTheLargestMax) {
  const std::int64_t most = std::int64_t{1} << 50;
  for (const char *shape : {"uniform", "window:0", "normal", "powerlaw:0.5"}) {
    const Problem problem = parse_problem(std::string("alltoallv max=1125899906842624 dist=") + shape, 16);
    const Case whole = case_of(problem);

    EXPECT_GE(whole.smallest_block, 0) << shape;
    EXPECT_LE(whole.largest_block, most) << shape;
  }
}

}  // namespace
}  // namespace rondo::internal::cli
