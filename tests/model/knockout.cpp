// The choice by measurement, on times that are made up: which candidates are tried, who is out when, and how long all
// of it takes.

#include "model/knockout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string_view>
#include <vector>

namespace rondo::internal {
namespace {

std::vector<Choice> all_candidates(int nodes, int ranks_each) {
  Features features;
  Topology &topology = features.situation.topology;
  topology.ranks = nodes * ranks_each;
  for (int rank = 0; rank < topology.ranks; ++rank) topology.node_of.push_back(rank / ranks_each);
  features.situation.smallest_block = features.situation.largest_block = 64;
  features.most_sent = 64 * (topology.ranks - 1);
  features.most_peers = topology.ranks - 1;
  return candidates(features, {});
}

std::set<std::string_view> names_of(std::span<const Choice> choices) {
  std::set<std::string_view> names;
  for (const Choice &choice : choices) names.insert(choice.algorithm->name);
  return names;
}

TEST(WorthTiming, BeginsWithTheCheapestAndWithThoseThatDifferMost) {
  const auto all = all_candidates(4, 4);
  const auto few = worth_timing(all, 10);

  ASSERT_EQ(few.size(), 10);
  EXPECT_EQ(few[0].algorithm, all[0].algorithm);
  EXPECT_EQ(few[0].parameters, all[0].parameters);
  const auto first = names_of(std::span(few).first(7));
  EXPECT_TRUE(first.contains("native"));
  EXPECT_TRUE(first.contains("node_aggregated"));
  EXPECT_TRUE(first.contains("tuna_hierarchical"));
  EXPECT_EQ(
      std::count_if(few.begin(), few.begin() + 7,
                    [](const Choice &one) { return one_hop(one.algorithm->layout) && !pads(one.algorithm->layout); }),
      1);
}

TEST(WorthTiming, NoneTwice) {
  for (const int ranks_each : {1, 2, 4, 16}) {
    const auto few = worth_timing(all_candidates(2, ranks_each), 8);
    for (std::size_t i = 0; i < few.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        EXPECT_FALSE(few[i].algorithm == few[k].algorithm && few[i].parameters == few[k].parameters);
      }
    }
  }
}

TEST(WorthTiming, FewCandidatesAreAllTaken) {
  const auto all = all_candidates(4, 4);

  EXPECT_EQ(worth_timing(std::span(all).first(2), 8).size(), 2);
  EXPECT_TRUE(worth_timing({}, 8).empty());
  EXPECT_EQ(worth_timing(all, 1).size(), 1);
}

// A contest whose contenders take these times, in seconds, give or take a part of them.
struct Contest {
  std::vector<double> true_seconds;
  double noise = 0;
  unsigned seed = 1;
  double spent = 0;
  int exchanges = 0;
  std::mt19937 random{seed};

  double draw(std::size_t one) {
    return true_seconds[one] * (1 + noise * std::uniform_real_distribution<>(0, 1)(random));
  }
  std::size_t run(double budget) {
    std::vector<double> first;
    for (std::size_t one = 0; one < true_seconds.size(); ++one) first.push_back(draw(one));
    for (const double seconds : first) spent += seconds;
    Knockout knockout(first, budget, spent, 0.97);
    while (!knockout.over()) {
      std::vector<double> seconds;
      for (const std::size_t one : knockout.left()) {
        const int all = knockout.exchanges(one) + (knockout.warms_up() ? 1 : 0);
        seconds.push_back(draw(one));
        spent += all * seconds.back();
        exchanges += all;
      }
      knockout.take(seconds, spent);
    }
    return knockout.winner();
  }
};

TEST(Knockout, TheFastestWins) {
  EXPECT_EQ((Contest{{5e-6, 2e-6, 9e-6, 3e-6, 1e-6, 4e-6, 8e-6, 7e-6}}.run(0.05)), 4);
  EXPECT_EQ((Contest{{5e-6, 2e-6, 9e-6}}.run(0.05)), 1);
  EXPECT_EQ((Contest{{5e-6}}.run(0.05)), 0);
}

TEST(Knockout, TheFirstStaysWhereNoneIsClearlyFaster) {
  EXPECT_EQ((Contest{{5e-6, 4.9e-6, 9e-6}}.run(0.05)), 0);
  EXPECT_EQ((Contest{{5e-6, 4.8e-6, 9e-6}}.run(0.05)), 1);
}

TEST(Knockout, NoiseCostsLittle) {
  int right = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Contest contest{{20e-6, 10e-6, 14e-6, 30e-6, 11.5e-6, 40e-6}, 0.3, seed};
    const std::size_t winner = contest.run(0.05);
    EXPECT_LE(contest.true_seconds[winner], 14e-6);
    right += contest.true_seconds[winner] == 10e-6 ? 1 : 0;
  }
  EXPECT_GE(right, 60);
}

TEST(Knockout, StaysWithinItsBudget) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    Contest contest{{}, 0.2, static_cast<unsigned>(i)};
    const int contenders = std::uniform_int_distribution<>(1, 8)(random);
    const double scale = std::pow(10.0, std::uniform_real_distribution<>(-7, -1)(random));
    for (int one = 0; one < contenders; ++one) {
      contest.true_seconds.push_back(scale * std::uniform_real_distribution<>(1, 20)(random));
    }
    const double budget = 0.05;
    contest.run(budget);
    double first = 0;
    for (const double seconds : contest.true_seconds) first += 1.2 * seconds;
    EXPECT_LE(contest.spent, std::max(budget, first) * 1.25);
  }
}

// The first contender is slow for as long as the machine is, and then as fast as the others, of which none is clearly
// faster then.
TEST(Knockout, TheFirstIsTimedUntilTheEnd) {
  const std::vector<double> first{9e-6, 2e-6, 3e-6, 3e-6, 4e-6, 4e-6, 5e-6, 5e-6};
  Knockout knockout(first, 0.05, 0, 0.97);
  std::size_t rounds_with_first = 0;
  for (bool busy = true; !knockout.over(); busy = false) {
    const std::vector<std::size_t> left(knockout.left().begin(), knockout.left().end());
    EXPECT_NE(std::find(left.begin(), left.end(), 0), left.end());
    rounds_with_first += 1;
    while (!knockout.over() && std::equal(left.begin(), left.end(), knockout.left().begin(), knockout.left().end())) {
      std::vector<double> seconds;
      for (const std::size_t one : left)
        seconds.push_back(one == 0 ? (busy ? 9e-6 : 2e-6) : 2e-6 + 1e-7 * static_cast<double>(one));
      knockout.take(seconds, 1e-3);
    }
  }

  EXPECT_GE(rounds_with_first, 3);
  EXPECT_EQ(knockout.winner(), 0);
}

// The estimate's contender is the slowest here, and there is no time to run all once more. Then it is out, and the
// fastest two of the others go on.
TEST(Knockout, GoesOnWithoutTheFirstWhereTimeIsTooShort) {
  const std::vector<double> seconds{40e-3, 1e-3, 1.1e-3, 1.2e-3, 1.3e-3};
  double spent = 0.06;
  Knockout knockout(seconds, 0.1, spent, 0.97);
  ASSERT_EQ(knockout.left().size(), 4U);

  while (knockout.left().size() == 4) {
    std::vector<double> times;
    for (const std::size_t one : knockout.left()) {
      times.push_back(seconds[one]);
      spent += seconds[one] * (knockout.exchanges(one) + (knockout.warms_up() ? 1 : 0));
    }
    knockout.take(times, spent);
  }

  EXPECT_EQ(std::vector<std::size_t>(knockout.left().begin(), knockout.left().end()), (std::vector<std::size_t>{1, 2}));
}

TEST(Knockout, TurnsAreLongBesideHowFarApartRanksBegin) {
  const std::vector<double> first{1e-6, 2e-6};

  EXPECT_NEAR(Knockout(first, 0.05, 0, 0.97).exchanges(0), 50, 1);
  EXPECT_NEAR(Knockout(first, 0.05, 0, 0.97, 30e-6).exchanges(0), 300, 1);
}

TEST(Knockout, EndedEarlyTheFastestSoFarWins) {
  const std::vector<double> first{30e-6, 20e-6, 40e-6};
  Knockout knockout(first, 0.05, 0, 0.97);
  EXPECT_FALSE(knockout.over());

  knockout.end();

  EXPECT_TRUE(knockout.over());
  EXPECT_EQ(knockout.winner(), 1);
}

TEST(Knockout, WithoutTimeTheFirstExchangesDecide) {
  Contest contest{{30e-3, 20e-3, 40e-3}};

  EXPECT_EQ(contest.run(0.05), 1);
  EXPECT_EQ(contest.exchanges, 0);
}

}  // namespace
}  // namespace rondo::internal
