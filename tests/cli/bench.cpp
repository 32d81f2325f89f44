#include <gtest/gtest.h>

#include <array>

#include "cli/bench_report.hpp"
#include "cli/contest.hpp"
#include "cli/plot.hpp"
#include "cli/usage_error.hpp"

namespace rondo::internal::cli {
namespace {

Measurement measured(const char *algorithm, double init, std::vector<double> samples) {
  Measurement measurement;
  measurement.spec.algorithm = algorithm;
  measurement.init = init;
  measurement.samples = std::move(samples);
  return measurement;
}

BenchReport small_report() {
  Measurement blocking = measured("", 0, {4, 4, 4});
  blocking.spec.kind = ContenderSpec::Kind::mpi_blocking;
  blocking.init.reset();
  Measurement persistent = measured("", 1, {2, 2, 2});
  persistent.spec.kind = ContenderSpec::Kind::mpi_persistent;
  Measurement refused = measured("exclusive_or", 0, {});
  refused.refused = "not a power of two";
  SizeResult result{8, {blocking, persistent, measured("tuna", 30, {1, 1, 1}), refused}};
  return {{"a processor", 2}, "an MPI", 3, parse_problem("alltoallv p=3 dist=constant max=8"), {result}, 1500};
}

TEST(Quantiles, OfNothingAreZero) {
  EXPECT_EQ(quantiles({}).median, 0);
}

TEST(Quantiles, LieBetweenSamples) {
  const Quantiles four = quantiles({4, 1, 3, 2});

  EXPECT_DOUBLE_EQ(four.least, 1);
  EXPECT_DOUBLE_EQ(four.lower, 1.75);
  EXPECT_DOUBLE_EQ(four.median, 2.5);
  EXPECT_DOUBLE_EQ(four.upper, 3.25);
  EXPECT_DOUBLE_EQ(four.most, 4);
}

TEST(Quantiles, OutliersAreFarFromTheQuartiles) {
  EXPECT_EQ(without_outliers({10, 11, 12, 13, 14, 100, 1}), (std::vector<double>{10, 11, 12, 13, 14}));
  EXPECT_EQ(without_outliers({5, 5, 5}), (std::vector<double>{5, 5, 5}));
  EXPECT_TRUE(without_outliers({}).empty());
}

// Of 100 samples the 40th and the 61st: between these the median lies in 95 of 100 cases (Conover, Practical
// Nonparametric Statistics, section 3.2).
TEST(Quantiles, MedianLiesBetweenTwoSamples) {
  std::vector<double> samples;
  for (int i = 100; i >= 1; --i) samples.push_back(i);
  const Interval interval = median_interval(samples);
  EXPECT_EQ(interval.low, 40);
  EXPECT_EQ(interval.high, 61);

  EXPECT_EQ(median_interval({3, 1, 2}).low, 1);
  EXPECT_EQ(median_interval({3, 1, 2}).high, 3);
  EXPECT_EQ(median_interval({7}).low, 7);
}

TEST(BreakEven, IsWhenTheGainHasPaidForInit) {
  EXPECT_EQ(break_even(measured("tuna", 30, {1}), 4), 10);
  EXPECT_EQ(break_even(measured("tuna", 30, {4}), 4), std::nullopt);
  EXPECT_EQ(break_even(measured("tuna", 30, {5}), 4), std::nullopt);
}

TEST(Contenders, AllHasEveryAlgorithmAndTheChoiceAfterMpisOwn) {
  const auto specs = parse_contenders("all");

  ASSERT_EQ(specs.size(), algorithms().size() + 3);
  EXPECT_EQ(specs[0].label(), "MPI_Alltoallv");
  EXPECT_EQ(specs[1].label(), "MPI_Alltoallv_init");
  EXPECT_EQ(specs[2].label(), "chosen");
  EXPECT_EQ(specs[3].label(), "native");
}

TEST(Contenders, AListNamesParameters) {
  const auto specs = parse_contenders("tuna:radix=4,scattered:block_count=8");

  ASSERT_EQ(specs.size(), 4);
  EXPECT_EQ(specs[2].parameters.radix, 4);
  EXPECT_EQ(specs[3].parameters.block_count, 8);
  EXPECT_EQ(specs[3].label(), "scattered:block_count=8");
}

TEST(Contenders, LabelsAreWhatWasAskedFor) {
  for (const char *text : {"chosen:wire=packed", "chosen:tune=measure", "chosen:profile=a/b.json",
                           "chosen:tune=measure:profile=c", "tuna:radix=4:wire=datatype", "linear:types=each",
                           "linear:types=each-indexed", "linear:types=each-block-indexed", "linear:buffers=plan",
                           "tuna:radix=4:wire=shared:progress=thread:buffers=plan", "chosen:wire=packed:whole"}) {
    EXPECT_EQ(parse_contenders(text)[2].label(), text);
  }
}

TEST(Contenders, AreThoseOfTheCall) {
  const auto gathers = parse_contenders("all,segmented,nonblocking", Problem::Call::allgatherv);

  ASSERT_EQ(gathers.size(), algorithms(all_gather).size() + 5);
  EXPECT_EQ(gathers[0].label(), "MPI_Allgatherv");
  EXPECT_EQ(gathers[1].label(), "MPI_Allgatherv_init");
  EXPECT_EQ(gathers[gathers.size() - 2].label(), "segmented");
  EXPECT_EQ(gathers.back().label(), "MPI_Iallgatherv");
  EXPECT_EQ(parse_contenders("nonblocking", Problem::Call::neighbor_alltoallv)[2].label(), "MPI_Ineighbor_alltoallv");
  EXPECT_THROW(parse_contenders("tuna", Problem::Call::allgatherv), UsageError);
  EXPECT_THROW(parse_contenders("chosen:buffers=plan", Problem::Call::allgatherv), UsageError);
  EXPECT_THROW(parse_contenders("linear:types=each", Problem::Call::alltoallw), UsageError);
}

TEST(Contenders, OfEachCallHaveNoInit) {
  const auto specs = parse_contenders("chosen,chosen:whole,nonblocking");

  EXPECT_FALSE(specs[0].has_init());
  EXPECT_TRUE(specs[1].has_init());
  EXPECT_TRUE(specs[2].has_init());
  EXPECT_FALSE(specs[3].has_init());
  EXPECT_FALSE(specs[4].has_init());
}

TEST(Contenders, ProgressByTheThread) {
  const auto specs = parse_contenders("tuna:radix=4:progress=thread,chosen");

  EXPECT_TRUE(specs[2].wishes.progress_thread);
  EXPECT_EQ(specs[2].label(), "tuna:radix=4:progress=thread");
  EXPECT_FALSE(specs[3].wishes.progress_thread);
}

TEST(Contenders, WhatIsNotKnownIsAnErrorThatNamesIt) {
  for (const char *text :
       {"tunna", "tuna:radix", "tuna:radix=0", "linear:radix=2", "tuna:radix=4x", "tuna:tune=measure", "chosen:radix=2",
        "chosen:profile=", "tuna:profile=x", "linear:types=each:wire=packed", "linear:wire=auto:types=each",
        "linear:types=each:buffers=plan", "linear:types=each:progress=thread", "linear:types=each:whole",
        "linear:types=each-runs", "linear:buffers=plan:whole", "nonblocking:whole", "segmented"}) {
    try {
      parse_contenders(text);
      ADD_FAILURE() << text;
    } catch (const UsageError &error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  }
}

TEST(BenchTable, HoldsAllAgainstThePersistentCall) {
  const std::string text = table(small_report().sizes[0]);

  EXPECT_NE(
      text.find(
          "tuna                                1.000          1.000..1.000       0.5        1       30.0         10"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("left out: not a power of two"), std::string::npos) << text;
}

TEST(BenchTable, WithoutAPersistentCallTheBlockingOneIsTheBar) {
  SizeResult result = small_report().sizes[0];
  result.measurements[1].samples.clear();

  EXPECT_EQ(bar_of(result).spec.label(), "MPI_Alltoallv");
}

TEST(BenchTable, SaysWhatTheFirstPlanOfTheCommunicatorTook) {
  EXPECT_EQ(
      set_up_line(small_report()),
      "the first plan on the communicator took 1500 microseconds to init, as it sets up what the others share; their "
      "init is below\n");
}

TEST(BenchTable, WarnsOfOneRankAndOfMoreRanksThanCores) {
  BenchReport report = small_report();
  EXPECT_NE(heading(report).find("more ranks than cores"), std::string::npos);

  report.ranks = 1;
  EXPECT_NE(heading(report).find("one rank, which has nobody to exchange with: start it with mpiexec -n N"),
            std::string::npos);
}

TEST(BenchTable, OfNothingMeasured) {
  SizeResult result = small_report().sizes[0];
  for (Measurement &measurement : result.measurements) {
    measurement.samples.clear();
    measurement.refused = no_time;
  }

  EXPECT_NE(table(result).find("MPI_Alltoallv                  left out: there was no time for it"), std::string::npos)
      << table(result);
}

TEST(BenchJson, HasFiguresAndWhatTheyWereMadeOn) {
  const auto json = to_json(std::array{small_report()});

  EXPECT_EQ(json["ranks"], 3);
  EXPECT_EQ(json["mpi"], "an MPI");
  EXPECT_EQ(json["sizes"][0]["contenders"][2]["name"], "tuna");
  EXPECT_EQ(json["sizes"][0]["contenders"][2]["median_us"], 1.0);
  EXPECT_EQ(json["sizes"][0]["contenders"][2]["ratio"], 0.5);
  EXPECT_EQ(json["sizes"][0]["contenders"][2]["break_even"], 10);
  EXPECT_EQ(json["sizes"][0]["contenders"][3]["left_out"], "not a power of two");
}

TEST(BenchPlot, DrawsWhatWasMeasuredAndQuotesThePath) {
  const std::string script = plot_script(small_report(), "it's.svg");

  EXPECT_NE(script.find("set output 'it''s.svg'"), std::string::npos) << script;
  EXPECT_NE(script.find("title 'tuna'"), std::string::npos) << script;
  EXPECT_EQ(script.find("exclusive_or"), std::string::npos) << script;
}

}  // namespace
}  // namespace rondo::internal::cli
