#include "model/calibration.hpp"

#include <gtest/gtest.h>

#include <random>

#include "model/choose.hpp"
#include "model/outline_estimate.hpp"

namespace rondo::internal {
namespace {

Features constant(int ranks, std::int64_t block, bool shared) {
  Features features;
  features.situation = {.topology = {.ranks = ranks, .node_of = {}}, .smallest_block = block, .largest_block = block};
  features.most_sent = (ranks - 1) * block;
  features.most_peers = ranks - 1;
  features.shares_memory = shared;
  return features;
}

// What a machine with these prices would take for all algorithms, over both wires and some lengths.
std::vector<Timing> times_on(const CostModel &machine, int ranks) {
  std::vector<Timing> timings;
  for (const bool shared : {false, true}) {
    for (const std::int64_t block : {8, 512, 4096, 65536}) {
      Features features = constant(ranks, block, shared);
      const Outlines outlines = outlines_on(all_to_all, features.situation.topology, {});
      const std::size_t first = timings.size();
      features.costs = machine;
      for (const Outlined &one : outlines.all) {
        if (!one.outline || one.algorithm->layout == Layout::native) continue;
        const double seconds = estimate_by_outline(*one.algorithm, *one.outline, features, 1).seconds;
        timings.push_back({acts_of(one, features, 1), seconds, seconds});
      }
      for (std::size_t i = first; i < timings.size(); ++i) timings[i].fastest = timings[first].seconds;
    }
  }
  return timings;
}

TEST(Calibration, ActsByTheirPricesAreTheEstimate) {
  const CostModel other{.step = 3e-6, .message = 2e-6, .byte = 1e-9, .shared_step = 4e-7, .shared_byte = 2e-9};
  for (const Timing &one : times_on(other, 9)) {
    EXPECT_NEAR(seconds_of(one.acts, other), one.seconds, 1e-6 * one.seconds);
  }
}

TEST(Calibration, FindsThePricesOfAMachine) {
  const CostModel machine{.step = 2e-6,
                          .message = 0.9e-6,
                          .byte = 0.7e-9,
                          .copied_byte = 0.2e-9,
                          .shared_step = 0.3e-6,
                          .shared_message = 0.02e-6,
                          .shared_byte = 0.3e-9};

  const CostModel found = fitted(times_on(machine, 16), {});

  for (const Price &price : machine_prices) {
    if (price.name == "turn" || price.name == "far_byte") continue;
    EXPECT_NEAR(found.*price.of, machine.*price.of, 0.05 * machine.*price.of) << price.name;
  }
}

TEST(Calibration, WhatNothingDependsOnStaysAsItWas) {
  const CostModel before{.far_byte = 7e-9, .turn = 11e-6};

  const CostModel found = fitted(times_on({}, 8), before);

  EXPECT_NEAR(found.far_byte, before.far_byte, 1e-6 * before.far_byte);
  EXPECT_NEAR(found.turn, before.turn, 1e-6 * before.turn);
}

TEST(Calibration, NoPriceIsNegative) {
  std::vector<Timing> timings = times_on({}, 8);
  for (std::size_t i = 0; i < timings.size(); ++i) timings[i].seconds = timings[i].fastest = i % 2 == 0 ? 1e-9 : 1e-3;

  const CostModel found = fitted(timings, {});

  for (const Price &price : machine_prices) EXPECT_GE(found.*price.of, 0.0099 * CostModel{}.*price.of) << price.name;
}

TEST(Calibration, OfNoTimesIsWhatWasBefore) {
  const CostModel before{.step = 5e-6};

  EXPECT_EQ(fitted({}, before), before);
}

// Times of one exchange of each length, as fast as a machine with these prices.
std::vector<CaseTimes> cases_on(const CostModel &machine) {
  std::vector<CaseTimes> cases;
  for (const std::int64_t block : {8, 512, 4096, 65536}) {
    Features features = constant(8, block, false);
    features.costs = machine;
    CaseTimes &one = cases.emplace_back();
    for (const Choice &choice : candidates(features, {})) {
      if (choice.algorithm->layout == Layout::native) continue;
      const Outlined outlined{choice.algorithm, choice.parameters,
                              choice.algorithm->outline(features.situation.topology, choice.parameters)};
      one.timings.push_back({acts_of(outlined, features, 1), choice.estimate.seconds});
    }
    for (Timing &timing : one.timings) timing.fastest = one.timings.front().seconds;
  }
  return cases;
}

TEST(Regret, IsNoneByThePricesOfTheMachine) {
  const CostModel machine{.step = 3e-6, .message = 2e-6, .byte = 1e-9};

  EXPECT_NEAR(regret(cases_on(machine), machine), 0, 1e-9);
  EXPECT_GT(regret(cases_on(machine), {.step = 3e-6, .message = 1e-12, .byte = 1e-9}), 0.02);
}

TEST(Regret, IsThatOfTheLibrarysCallWhereItIsTaken) {
  std::vector<CaseTimes> one{{.timings = {{.acts = {1}, .seconds = 2e-6, .fastest = 2e-6}}, .native = 3e-6}};
  const CostModel dear{.step = 9e-6};
  const CostModel right{.step = 2e-6};

  EXPECT_NEAR(regret(one, dear), 0.5, 1e-9);
  EXPECT_NEAR(regret(one, right), 0, 1e-9);

  one.front().native = 1e-6;
  EXPECT_NEAR(regret(one, right), 0, 1e-9);
}

TEST(Regret, OfNoCaseIsNone) {
  EXPECT_EQ(regret({}, {}), 0);
  EXPECT_EQ(regret(std::vector<CaseTimes>(2), {}), 0);
}

// Whatever is not the fastest has been timed wrongly by a factor that no prices explain: a fit to all follows it, and
// then takes what is slower.
TEST(Calibration, ForTheChoiceIsNeverWorseThanThePricesBefore) {
  std::mt19937 random(5);
  int better = 0;
  for (int i = 0; i < 50; ++i) {
    const CostModel machine{.step = 3e-6, .message = 2e-6, .byte = 1e-9, .copied_byte = 0.2e-9};
    std::vector<CaseTimes> cases = cases_on(machine);
    for (CaseTimes &one : cases) {
      for (Timing &timing : one.timings) {
        if (timing.seconds > timing.fastest) timing.seconds *= std::uniform_real_distribution<>(1, 4)(random);
      }
    }
    std::vector<Timing> all;
    for (const CaseTimes &one : cases) all.insert(all.end(), one.timings.begin(), one.timings.end());
    const double of_all = regret(cases, fitted(all, machine));
    const double chosen = regret(cases, fitted_for_choice(cases, machine));
    EXPECT_LE(chosen, of_all + 0.006);
    EXPECT_LE(chosen, regret(cases, machine) + 0.006);
    better += chosen < of_all - 0.006 ? 1 : 0;
  }
  EXPECT_GT(better, 0);
}

// ---- The MPI library's own call -----------------------------------------------------------------------------------

NativeTimes stairs() {
  NativeTimes times;
  for (std::size_t i = 0; i < times.seconds.size(); ++i) times.seconds[i] = 1e-6 * static_cast<double>(i + 1);
  return times;
}

TEST(NativeTimes, BetweenTwoLengthsTheyLieOnALine) {
  const NativeTimes times = stairs();

  EXPECT_DOUBLE_EQ(times.of(0), 1e-6);
  EXPECT_DOUBLE_EQ(times.of(8), 2e-6);
  EXPECT_DOUBLE_EQ(times.of(36), 2.5e-6);
  EXPECT_DOUBLE_EQ(times.of(262144), 7e-6);
}

TEST(NativeTimes, OfFewBytesAreThoseOfTheShortestThatAreMeasured) {
  EXPECT_DOUBLE_EQ(stairs().of(1), 2e-6);
  EXPECT_DOUBLE_EQ(stairs().of(7.5), 2e-6);
}

TEST(NativeTimes, BeyondTheLastLengthTheyGrowAsBefore) {
  EXPECT_DOUBLE_EQ(stairs().of(262144 + 229376), 8e-6);
}

TEST(NativeTimes, DecideWhetherTheLibrarysCallIsTaken) {
  Features features = constant(8, 512, false);
  features.costs.native = stairs();  // 4 us for 512 bytes
  features.costs.step = features.costs.message = 100e-6;

  EXPECT_EQ(choose(features, {}).algorithm->name, "native");
  EXPECT_DOUBLE_EQ(choose(features, {}).estimate.seconds, 4e-6);

  features.costs.step = features.costs.message = 1e-9;
  features.costs.byte = 1e-15;
  EXPECT_NE(choose(features, {}).algorithm->name, "native");
}

TEST(NativeTimes, AreTakenWhereTheyAreAheadByMoreThanATenth) {
  Features features = constant(8, 512, false);
  features.costs.native = stairs();
  const double best =
      choose(features, {.algorithm = "spread_out", .parameters = {}, .scratch_limit = {}}).estimate.seconds;
  const double factor = 4e-6 / best;  // by which all prices together make it as dear as the library's call
  const auto with_prices_times = [&](double times) {
    Features priced = features;
    for (const Price &price : machine_prices) priced.costs.*price.of *= factor * times;
    return choose(priced, {}).algorithm->name;
  };

  EXPECT_EQ(with_prices_times(1.3), "native");
  EXPECT_NE(with_prices_times(1.05), "native");
}

TEST(NativeTimes, OfOneRankThatSendsToAllAreItsOwn) {
  Features features = constant(8, 512, false);
  features.costs.native = stairs();
  for (double &seconds : features.costs.native_one_way.seconds) seconds = 0.5e-6;

  EXPECT_DOUBLE_EQ(choose(features, {.algorithm = "native", .parameters = {}, .scratch_limit = {}}).estimate.seconds,
                   4e-6);
  features.one_way = true;
  EXPECT_DOUBLE_EQ(choose(features, {.algorithm = "native", .parameters = {}, .scratch_limit = {}}).estimate.seconds,
                   0.5e-6);
}

// Over messages a rank that only sends is ahead of the others as far as in the library's own call.
TEST(NativeTimes, TellHowFarMessagesRunAhead) {
  const Algorithm &direct = *find_algorithm("spread_out");
  Features features = constant(8, 512, false);
  const auto estimate = [&] {
    return estimate_by_outline(direct, direct.outline(features.situation.topology, {}), features, 1).seconds;
  };
  features.costs.native = stairs();
  for (double &seconds : features.costs.native_one_way.seconds) seconds = 1e-6;
  const double both_ways = estimate();
  features.one_way = true;

  EXPECT_DOUBLE_EQ(estimate(), both_ways / 4);
}

TEST(NativeTimes, EmptyBlocksTakeNoShareButAllWait) {
  const Algorithm &native = *find_algorithm("native");
  Features features = constant(9, 512, false);
  features.costs.native = stairs();
  features.most_peers = 2;
  features.most_sent = 2 * 512;

  const Estimate estimate = estimate_by_outline(native, native.outline(features.situation.topology, {}), features, 1);

  const double wait = features.costs.step;
  EXPECT_DOUBLE_EQ(estimate.seconds, 1e-6 + wait + 0.25 * (3e-6 - wait));
}

}  // namespace
}  // namespace rondo::internal
