#include "cli/command_line.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "plans/algorithm.hpp"
#include "temporary_folder.hpp"

namespace rondo::internal::cli {
namespace {

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

Outcome run(std::vector<const char *> arguments) {
  arguments.insert(arguments.begin(), "rondo");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.status = run_command(static_cast<int>(arguments.size()), arguments.data());
  std::fflush(stdout);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandLine, AlgorithmsAreTheTables) {
  const Outcome text = run({"algorithms"});
  const auto json = nlohmann::json::parse(run({"algorithms", "--json"}).out);

  ASSERT_EQ(json.size(), algorithms(all_to_all).size() + algorithms(all_gather).size());
  std::size_t i = 0;
  for (const auto table : {algorithms(all_to_all), algorithms(all_gather)}) {
    for (const Algorithm *algorithm : table) {
      EXPECT_EQ(json[i]["name"], algorithm->name);
      EXPECT_EQ(json[i]["operation"], table.data() == algorithms().data() ? "all-to-all" : "all-gather");
      EXPECT_TRUE(contains(text.out, std::string(algorithm->summary)));
      ++i;
    }
  }
}

// A file of figures as `rondo bench --json` writes them, of two sizes and two contenders, there as long as the test
// runs.
class Figures {
 public:
  Figures(double of_8, double of_64) {
    std::vector<double> around_8;
    std::vector<double> around_64;
    for (int i = 0; i < 20; ++i) {
      around_8.push_back(of_8 * (1 + 0.001 * i));
      around_64.push_back(of_64 * (1 + 0.001 * i));
    }
    around_8.push_back(1000 * of_8);  // an outlier
    const auto contender = [](const char *who, const std::vector<double> &samples) {
      return nlohmann::json{{"name", who}, {"median_us", samples[samples.size() / 2]}, {"samples_us", samples}};
    };
    nlohmann::json figures{{"ranks", 2}, {"distribution", "constant"}, {"sizes", nlohmann::json::array()}};
    figures["sizes"].push_back({{"bytes", 8},
                                {"contenders",
                                 {contender("chosen", around_8), contender("linear", around_8),
                                  contender("MPI_Alltoallv", std::vector<double>(21, 4.0)),
                                  nlohmann::json{{"name", "exclusive_or"}, {"left_out", "no power of two"}}}}});
    figures["sizes"].push_back({{"bytes", 64}, {"contenders", {contender("chosen", around_64)}}});
    std::ofstream(path_) << figures;
  }
  [[nodiscard]] const char *path() const { return path_.c_str(); }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("figures.json");
};

TEST(CommandLine, CompareSaysWhatHasBecomeSlower) {
  const Figures before(2, 10);
  const Figures after(3, 10.05);

  const Outcome outcome = run({"compare", before.path(), after.path()});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(contains(outcome.out, "1.500  slower")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "1.005  \n")) << outcome.out;  // whose intervals overlap
  EXPECT_TRUE(contains(outcome.out, "In 2 of 4 lines")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "exclusive_or"));

  EXPECT_EQ(run({"compare", before.path(), after.path(), "--limit", "1.4"}).status, 1);
  EXPECT_EQ(run({"compare", before.path(), after.path(), "--limit", "1.6"}).status, 0);
  EXPECT_TRUE(contains(run({"compare", after.path(), before.path()}).out, "0.667  faster"));
}

TEST(CommandLine, CompareRefusesWhatIsNoFileOfFigures) {
  const Figures figures(1, 2);
  const Outcome missing = run({"compare", figures.path(), "/no/such/file"});

  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(contains(missing.err, "/no/such/file: cannot be read"));
  EXPECT_TRUE(contains(run({"compare", "/proc/version", figures.path()}).err, "is no file of rondo bench --json"));
}

TEST(CommandLine, ChoicesShowSpeedups) {
  const Figures figures(2, 10);
  const Outcome outcome = run({"choices", figures.path(), "--speedup"});

  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(contains(outcome.out, "times as fast as the fastest call of the MPI library")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "    1.98")) << outcome.out;
}

TEST(CommandLine, ChoicesShowTheFastest) {
  const Figures figures(5, 10);
  const Outcome outcome = run({"choices", figures.path(), "--fastest"});

  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(contains(outcome.out, " MPI_Alltoallv\n")) << outcome.out;  // 4 us; of 64 B no algorithm was timed
  EXPECT_FALSE(contains(outcome.out, "64")) << outcome.out;
  EXPECT_TRUE(contains(run({"choices", figures.path(), "--fastest", "--speedup"}).err, "excludes"));
}

TEST(CommandLine, CrossingsAreWhereTheRatioIsOne) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rondo_crossings");
  nlohmann::json figures{{"ranks", 4}, {"distribution", "uniform"}, {"sizes", nlohmann::json::array()}};
  const auto add = [&](int bytes, double one, double other) {
    const nlohmann::json contenders{{{"name", "linear"}, {"median_us", one}}, {{"name", "tuna"}, {"median_us", other}}};
    figures["sizes"].push_back({{"bytes", bytes}, {"contenders", contenders}});
  };
  add(4096, 1, 2);  // the sizes in any order
  add(8, 2, 1);
  add(32, 1, 2);  // the straight line is at 1 half way between 8 and 32
  std::ofstream(path) << figures;

  const Outcome outcome = run({"crossings", "linear", "tuna", path.c_str()});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "8 to 4096 B: slower, faster from 16 B on\n")) << outcome.out;
  EXPECT_TRUE(contains(run({"crossings", "tuna", "linear", path.c_str()}).out, "faster, slower from 16 B on\n"));
  EXPECT_TRUE(
      contains(run({"crossings", "tuna", "none", path.c_str()}).err, "no file has times of both tuna and none"));
}

TEST(CommandLine, ShowGivesTheFiguresAsJson) {
  const Outcome outcome = run({"show", "alltoallv p=8 algorithm=tuna radix=2 dist=constant max=8", "--json"});
  const auto json = nlohmann::json::parse(outcome.out);

  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(json["steps"], 3);
  EXPECT_EQ(json["messages"], 3);
  EXPECT_EQ(json["block_moves"], 12);
  EXPECT_EQ(json["bytes"], 96);
  EXPECT_LE(json["scratch_bytes"], 4 * 8);
  EXPECT_GT(json["staging_bytes"], 0);
  EXPECT_EQ(json["rank"], 0);
  EXPECT_EQ(json["algorithm"], "tuna");
  EXPECT_EQ(json["radix"], 2);
}

TEST(CommandLine, ShowGivesTheScratchWhereNodesShareMemory) {
  const Outcome outcome = run({"show", "alltoallv p=64 node=32 algorithm=tuna radix=2 dist=constant max=1", "--json"});
  const auto json = nlohmann::json::parse(outcome.out);

  EXPECT_EQ(json["scratch_bytes"], 49);
  EXPECT_EQ(json["shared_scratch_bytes"], 97);
}

TEST(CommandLine, ShowPlansOneRankOfVeryMany) {
  const Outcome outcome =
      run({"show", "alltoallv p=16384 algorithm=tuna radix=2 dist=powerlaw:0.999 max=8", "--json", "--rank", "9"});

  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["steps"], 14);
}

TEST(CommandLine, ShowWithoutAnAlgorithmShowsTheChoice) {
  const Outcome outcome = run({"show", "alltoallv p=6 dist=constant max=1000000", "--json"});

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(find_algorithm(nlohmann::json::parse(outcome.out)["algorithm"].get<std::string>()), nullptr);
}

TEST(CommandLine, ShowDrawsSmallRoutes) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rondo_route.svg");
  const Outcome outcome = run({"show", "alltoallv p=4 algorithm=pairwise dist=constant max=1", "--svg", path.c_str()});
  std::ifstream file(path);
  std::string first;
  std::getline(file, first);

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "step 2\n         0   1   2   3\n")) << outcome.out;
  EXPECT_TRUE(first.starts_with("<svg"));
}

TEST(CommandLine, ShowRefusesWithAReason) {
  const struct {
    std::vector<const char *> arguments;
    const char *reason;
    int status = 1;
  } cases[] = {
      {{"show", "alltoallv p=6 algorithm=exclusive_or"}, "power of two"},
      {{"show", "alltoallv p=6 algorithm=native"}, "native has no route"},
      {{"show", "alltoallv p=6 algorithm=tuna", "--rank", "6"}, "expected 0..5", 2},
      {{"show", "alltoallv p=65 algorithm=tuna", "--svg", "x.svg"}, "at most 64 ranks", 2},
      {{"show", "alltoallv p=6 algorithm=tuna", "--svg", "/no/such/folder/x.svg"},
       "cannot write /no/such/folder/x.svg: No"},
      {{"show", "alltoallv p=6 algorithm=tunna"}, "\n                          ^", 2},
      {{"show", "alltoallv p=6 algorithm=tunna"}, "(did you mean 'tuna'?)", 2},
      {{"show", "alltoallv p=6 alogrithm=tuna"}, "unknown key 'alogrithm' (did you mean 'algorithm'?)", 2},
      {{"show", "alltoallv p=6", "alltoallv p=7"}, "one problem is shown at a time, and 2 are given", 2},
  };
  for (const auto &one : cases) {
    const Outcome outcome = run(one.arguments);

    EXPECT_EQ(outcome.status, one.status);
    EXPECT_TRUE(contains(outcome.err, one.reason)) << outcome.err;
  }
}

TEST(CommandLine, ShowLeavesOutEmptyMessages) {
  const Outcome sparse = run({"show", "alltoallv p=8 algorithm=spread_out dist=sparse:2 max=10"});
  const Outcome padded = run({"show", "alltoallv p=8 algorithm=padded_alltoall dist=sparse:2 max=10"});

  EXPECT_TRUE(contains(sparse.out, ": 10 bytes in 1 block: 0>")) << sparse.out;
  EXPECT_FALSE(contains(sparse.out, ": 0 bytes in")) << sparse.out;
  EXPECT_TRUE(contains(padded.out, "  to   rank 7: 10 bytes in 1 block: 0>7\n")) << padded.out;
}

TEST(CommandLine, ShowPlansAMillionRanksAtOnceWhereTheExtremesAreMetSoon) {
  const Outcome outcome =
      run({"show", "alltoallv p=1048576 algorithm=tuna radix=1048576 dist=uniform max=8", "--json"});

  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(CommandLine, AProblemWithoutItsQuotes) {
  EXPECT_EQ(run({"show", "alltoallv", "p=4", "algorithm=linear"}).out,
            run({"show", "alltoallv p=4 algorithm=linear"}).out);
  EXPECT_EQ(run({"verify", "alltoallv", "p=4", "algorithm=linear", "alltoall", "p=3"}).out, "2 passed, 0 failed\n");
  EXPECT_EQ(run({"verify", "p=4", "algorithm=linear"}).status, 2);
}

TEST(CommandLine, VerifyCountsAndEndsWithTheCount) {
  const Outcome good = run({"verify", "alltoallv p=6 node=4 algorithm=tuna radix=3 dist=powerlaw:0.99 max=64 seed=7",
                            "alltoallv p=1 algorithm=linear"});

  EXPECT_EQ(good.status, 0);
  EXPECT_EQ(good.out, "2 passed, 0 failed\n");
}

TEST(CommandLine, VerifyFailsWithTheProblemThatFails) {
  const Outcome bad = run({"verify", "alltoallv p=5 algorithm=exclusive_or", "alltoallv p=4 algorithm=exclusive_or"});

  EXPECT_EQ(bad.status, 1);
  EXPECT_TRUE(contains(bad.out, "alltoallv p=5 algorithm=exclusive_or dist=uniform max=64 seed=1\n")) << bad.out;
  EXPECT_TRUE(bad.out.ends_with("\n1 passed, 1 failed\n")) << bad.out;
}

TEST(CommandLine, AQuickSweepPasses) {
  const Outcome outcome = run({"verify", "--sweep", "--quick"});

  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with(" passed, 0 failed\n")) << outcome.out;
}

TEST(CommandLine, WhatIsNotUnderstoodIsToldWithStatusTwo) {
  for (const char *argument : {"--bogus", "bogus"}) {
    EXPECT_EQ(run({argument}).status, 2);
    EXPECT_EQ(run({"verify", "--quick", argument}).status, 2);
  }
  EXPECT_EQ(run({}).status, 2);
  EXPECT_EQ(run({"verify"}).status, 2);
  EXPECT_EQ(run({"verify", "alltoallv"}).status, 2);
}

TEST(CommandLine, WhatMayHaveBeenMeant) {
  EXPECT_EQ(
      run({"shwo"}).err,
      "rondo: there is no command 'shwo' (did you mean 'show'?); there are algorithms, show, verify, bench, overlap, "
      "calibrate, tune, profile, choices, crossings, compare, run\n");
  EXPECT_EQ(run({"bench", "--size", "8"}).err, "rondo: not understood: --size (did you mean '--sizes'?)\n");
}

// The cheapest first, whose parts are the whole; and it is what is shown as the choice.
TEST(CommandLine, EstimatesOfAllCandidates) {
  const char *const problem = "alltoallv p=16 dist=uniform max=512 wire=packed";
  const Outcome outcome = run({"show", "--explain", "--json", problem});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto all = nlohmann::json::parse(outcome.out);
  const auto shown = nlohmann::json::parse(run({"show", "--json", problem}).out);

  EXPECT_GT(all.size(), 17);
  EXPECT_EQ(all[0]["choice"].get<std::string>().find(shown["algorithm"].get<std::string>()), 0);
  double before = 0;
  for (const auto &one : all) {
    EXPECT_LE(before, one["seconds"].get<double>());
    before = one["seconds"];
    EXPECT_NEAR(one["synchronising"].get<double>() + one["moving"].get<double>() + one["copying"].get<double>(), before,
                1e-12);
  }
}

TEST(CommandLine, EstimatesInTurns) {
  const char *const problem = "alltoallv p=16 dist=constant max=8";
  const auto seconds_of = [&](const char *turns) {
    const auto all = nlohmann::json::parse(run({"show", "--explain", "--json", "--turns", turns, problem}).out);
    return all[0]["seconds"].get<double>();
  };

  EXPECT_LT(seconds_of("1"), seconds_of("8"));
  EXPECT_EQ(run({"show", "--turns", "2", problem}).status, 2);
  EXPECT_EQ(run({"show", "--explain", "alltoallv_varying p=4"}).status, 2);
  EXPECT_EQ(run({"show", "--explain", "--svg", "/no/such/x.svg", problem}).err,
            "rondo: cannot write /no/such/x.svg: No such file or directory\n");
}

TEST(CommandLine, WhatAPaperPredicts) {
  const char *const problem = "alltoallv p=4096 dist=uniform max=512";
  const auto json = nlohmann::json::parse(run({"show", "--model", "fan2022", "--json", problem}).out);

  EXPECT_EQ(json["largest_block"], 512);
  EXPECT_EQ(json["ahead"], "two_phase_bruck");
  EXPECT_EQ(json["fastest_on_theta"], "two_phase_bruck");
  EXPECT_LT(json["two_phase_bruck"].get<double>(), json["padded_bruck"].get<double>());
  const std::string text = run({"show", "--model", "fan2022", "--latency", "1e-3", problem}).out;
  EXPECT_NE(text.find("equation 1, ahead"), std::string::npos) << text;
  EXPECT_EQ(run({"show", "--model", "fan2022", "alltoallv p=1 max=8"}).status, 2);
  EXPECT_EQ(run({"show", "--model", "traeff2014", problem}).status, 2);
  EXPECT_EQ(run({"show", "--latency", "1e-6", problem}).status, 2);
}

// What the choice took stands beside it as a contender, too: the mean of both counts.
TEST(CommandLine, ChoicesAreHeldAgainstTheBest) {
  const TemporaryFolder folder;
  const std::string path = folder.file("rondo_choices.json");
  const auto contender = [](const char *name, const char *algorithm, double median) {
    return nlohmann::json{{"name", name}, {"median_us", median}, {"plan", {{"algorithm", algorithm}, {"radix", 2}}}};
  };
  nlohmann::json size{{"bytes", 8}};
  size["contenders"] = {contender("chosen", "tuna", 14), contender("tuna", "tuna", 10),
                        contender("linear", "linear", 8), contender("native", "native", 6)};
  std::ofstream(path) << nlohmann::json{{"sizes", {size}}};

  const Outcome outcome = run({"choices", path.c_str()});

  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "+100 %  rondo_choices, 8 B: tuna 12.00 us, native 6.00 us")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "MPI library's fastest call: 1 cells")) << outcome.out;
}

// Three runs of one cell: in two of them the choice is behind by a fifth, in one by nothing, and another contender's
// best time was luck.
TEST(CommandLine, FilesOfOneNameAreRunsOfTheSame) {
  const TemporaryFolder folders[3];
  std::vector<std::string> paths;
  const auto write = [&](int run, double chosen, double other) {
    nlohmann::json size{{"bytes", 8}};
    for (const auto &[name, median] : {std::pair("chosen", chosen), std::pair("linear", other)}) {
      size["contenders"].push_back({{"name", name}, {"median_us", median}, {"plan", {{"algorithm", name}}}});
    }
    paths.push_back(folders[run].file("one_cell.json"));
    std::ofstream(paths.back()) << nlohmann::json{{"sizes", {size}}};
  };
  write(0, 12, 10);
  write(1, 10, 10);
  write(2, 12, 5);

  const Outcome all = run({"choices", paths[0].c_str(), paths[1].c_str(), paths[2].c_str()});
  EXPECT_TRUE(contains(all.out, "+20 %  one_cell, 8 B: chosen 10.95 us, linear 9.13 us")) << all.out;
  EXPECT_TRUE(contains(all.out, "in 0 of 1 cells")) << all.out;

  EXPECT_EQ(run({"choices", paths[0].c_str(), "--doubtful"}).out, "one_cell 8\n");
  EXPECT_EQ(run({"choices", paths[1].c_str(), "--doubtful"}).out, "");
  EXPECT_EQ(run({"choices", paths[0].c_str(), "--doubtful", "--within", "25"}).out, "");
}

// The machine was half as fast in the second of two runs, in which one contender was not timed.
TEST(CommandLine, WhatIsMissingInARunIsScaledAsWell) {
  const TemporaryFolder folders[2];
  std::vector<std::string> paths;
  const auto write = [&](const std::vector<std::pair<const char *, double>> &contenders) {
    nlohmann::json size{{"bytes", 8}};
    for (const auto &[name, median] : contenders) {
      size["contenders"].push_back({{"name", name}, {"median_us", median}, {"plan", {{"algorithm", name}}}});
    }
    paths.push_back(folders[paths.size()].file("one_cell.json"));
    std::ofstream(paths.back()) << nlohmann::json{{"sizes", {size}}};
  };
  write({{"chosen", 20}, {"linear", 20}, {"tuna", 10}});
  write({{"chosen", 40}, {"linear", 40}});

  const Outcome outcome = run({"choices", paths[0].c_str(), paths[1].c_str()});

  EXPECT_TRUE(contains(outcome.out, "+100 %  one_cell, 8 B: chosen 40.00 us, tuna 20.00 us")) << outcome.out;
}

TEST(CommandLine, NumbersThatAreNone) {
  for (const char *option : {"--random", "--seed", "--threads"}) {
    for (const char *value : {"-5", "many", "99999999999999999999999"}) {
      const Outcome outcome = run({"verify", option, value});

      EXPECT_EQ(outcome.status, 2);
      EXPECT_TRUE(contains(outcome.err, std::string(option) + ": '" + value + "' is not a whole number from "))
          << outcome.err;
    }
  }
}

TEST(CommandLine, HelpHasAnExampleForEachCommand) {
  for (const char *command :
       {"algorithms", "show", "verify", "bench", "calibrate", "tune", "profile", "choices", "run"}) {
    const Outcome outcome = run({command, "--help"});

    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(contains(outcome.out, "Example: ")) << outcome.out;
  }
}

TEST(CommandLine, BenchSaysWhatIsWrongBeforeItMeasures) {
  const Outcome outcome = run({"bench", "--algorithms", "tunna"});

  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(contains(outcome.err, "'tunna': expected one of all, chosen")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "(did you mean 'tuna'?)")) << outcome.err;
}

}  // namespace
}  // namespace rondo::internal::cli
