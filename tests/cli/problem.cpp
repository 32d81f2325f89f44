#include "cli/problem.hpp"

#include <gtest/gtest.h>

namespace rondo::internal::cli {
namespace {

TEST(Problem, EveryKeyIsRead) {
  const Problem problem = parse_problem(
      "alltoallv p=6 node=4 algorithm=tuna radix=3 dist=powerlaw:0.99 max=64 seed=7 gap=5 place=shuffled");

  EXPECT_EQ(problem.ranks, 6);
  EXPECT_EQ(problem.node, 4);
  EXPECT_EQ(problem.algorithm, "tuna");
  EXPECT_EQ(problem.parameters.radix, 3);
  EXPECT_EQ(problem.distribution, (Distribution{Distribution::Kind::powerlaw, 0.99}));
  EXPECT_EQ(problem.largest, 64);
  EXPECT_EQ(problem.seed, 7);
  EXPECT_EQ(problem.gap, 5);
  EXPECT_TRUE(problem.shuffled);
}

TEST(Problem, PrintedAndParsedIsTheSame) {
  for (const char *text :
       {"alltoallv p=1", "alltoall p=4 max=8", "alltoallv p=9 dist=window:25 seed=18446744073709551615",
        "alltoallv p=6 node=4 algorithm=scattered block_count=2 dist=sparse:3 max=0 gap=1 place=shuffled",
        "alltoallv p=6 algorithm=tuna radix=3 dist=powerlaw:0.999", "alltoallv_varying p=3 dist=sparse:1 gap=2",
        "allgatherv p=7 group=3 algorithm=segmented dist=arithmetic", "allgatherv p=7 algorithm=dissemination radix=1",
        "neighbor_alltoallv p=9 dist=sparse:2"}) {
    const Problem problem = parse_problem(text);

    EXPECT_EQ(parse_problem(to_string(problem)), problem) << to_string(problem);
  }
}

TEST(Problem, AnAllGatherHasAlgorithmsAndGroupsOfItsOwn) {
  const Problem problem = parse_problem("allgatherv p=7 group=3 algorithm=segmented");

  EXPECT_EQ(topology_of(problem).second_group, 3);
  EXPECT_TRUE(problem.by_segment());
  EXPECT_FALSE(parse_problem("alltoallv p=7").by_segment());
}

TEST(Problem, WordsMayStandInAnyOrderWithAnyBlanks) {
  EXPECT_EQ(parse_problem("  alltoallv\tmax=8   dist=constant p=4 "),
            parse_problem("alltoallv p=4 dist=constant max=8"));
}

TEST(Problem, RanksOfTheCommunicatorStandInForP) {
  EXPECT_EQ(parse_problem("alltoallv", 5).ranks, 5);
  EXPECT_EQ(parse_problem("alltoallv p=5", 5).ranks, 5);
}

TEST(Problem, AnAlltoallIsConstantUnlessItSaysEmpty) {
  EXPECT_EQ(parse_problem("alltoall p=4").distribution.kind, Distribution::Kind::constant);
}

TEST(Problem, NodesAreFilledInOrder) {
  EXPECT_EQ(topology_of(parse_problem("alltoallv p=6 node=4")).node_of, (std::vector{0, 0, 0, 0, 1, 1}));
  EXPECT_TRUE(topology_of(parse_problem("alltoallv p=6")).node_of.empty());
}

struct Broken {
  const char *text;
  std::size_t position;
  const char *reason;
};
class BrokenProblem : public testing::TestWithParam<Broken> {};

TEST_P(BrokenProblem, SaysWhereAndWhy) {
  try {
    parse_problem(GetParam().text, 0);
    FAIL() << "no error for " << GetParam().text;
  } catch (const ProblemError &error) {
    EXPECT_EQ(error.position, GetParam().position) << error.what();
    EXPECT_NE(error.reason.find(GetParam().reason), std::string::npos) << error.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenProblem,
    testing::Values(
        Broken{"alltoallv p=4 group=2", 20, "only an allgatherv has two groups"},
        Broken{"allgatherv p=4 group=4", 21, "group=4 leaves none of the 4 ranks for the second group"},
        Broken{"allgatherv p=4 algorithm=tuna", 25, "expected one of native, spread_out, dissemination"},
        Broken{"alltoallv p=4 algorithm=segmented", 24, "expected one of native, spread_out, scattered"},
        Broken{"", 0, "starts with one of alltoallv, alltoall, alltoallw, alltoallv_varying"},
        Broken{"allgather p=4", 0, "starts with"}, Broken{"alltoallv", 9, "expected p=N"},
        Broken{"alltoallv p", 11, "expected p=VALUE"}, Broken{"alltoallv p=", 12, "a number of ranks"},
        Broken{"alltoallv p=0", 12, "1..1048576"}, Broken{"alltoallv p=4x", 12, "a number of ranks"},
        Broken{"alltoallv p=-4", 12, "a number of ranks"},
        Broken{"alltoallv p=99999999999999999999", 12, "a number of ranks"},
        Broken{"alltoallv p=4 p=4", 14, "p is said twice"},
        Broken{"alltoallv p=4 radx=3", 14,
               "unknown key 'radx' (did you mean 'radix'?): expected one of p, node, group, algorithm"},
        Broken{"alltoallv p=4 algorithm=tunna", 24, "native, "}, Broken{"alltoallv p=4 dist=gauss", 19, "normal"},
        Broken{"alltoallv p=4 dist=window", 19, "window:R"}, Broken{"alltoallv p=4 dist=window:101", 19, "0..100"},
        Broken{"alltoallv p=4 dist=powerlaw:1", 19, "between 0 and 1"},
        Broken{"alltoallv p=4 dist=powerlaw:nan", 19, "between 0 and 1"},
        Broken{"alltoallv p=4 dist=uniform:3", 19, "uniform"}, Broken{"alltoallv p=4 max=-1", 18, "bytes"},
        Broken{"alltoallv p=4 seed=1e3", 19, "2^64-1"}, Broken{"alltoallv p=4 place=random", 20, "ordered or shuffled"},
        Broken{"alltoallv p=4 algorithm=tuna radix=0", 35, "a whole number from 1 to 2147483647"},
        Broken{"alltoallv p=4 algorithm=linear radix=2", 37, "linear takes no radix"},
        Broken{"alltoallv p=4 radix=2", 20, "without algorithm="},
        Broken{"alltoallv p=4 algorithm=tuna block_count=2", 41, "tuna takes no block_count"},
        Broken{"alltoall p=4 dist=uniform", 18, "the same size"}, Broken{"alltoall p=4 gap=1", 17, "no displacements"},
        Broken{"alltoall p=4 place=shuffled", 19, "no displacements"}));

TEST(Problem, OtherThanTheCommunicatorsSizeIsAnError) {
  EXPECT_THROW(parse_problem("alltoallv p=3", 4), ProblemError);
}

TEST(Problem, TheCaretStandsUnderThePlace) {
  try {
    parse_problem("alltoallv p=4 max=é");
    FAIL();
  } catch (const ProblemError &error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("\n  alltoallv p=4 max=é\n                    ^"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace rondo::internal::cli
