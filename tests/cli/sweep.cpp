#include "cli/sweep.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cli/selection.hpp"

namespace rondo::internal::cli {
namespace {

TEST(Sweep, HasEveryAlgorithmThatHasARoute) {
  for (const Breadth breadth : {Breadth::full, Breadth::quick}) {
    std::set<std::string_view> swept;
    const auto problems = sweep(breadth);
    for (const Problem &problem : problems) swept.insert(problem.algorithm);
    for (const Algorithm *algorithm : algorithms()) {
      EXPECT_EQ(swept.contains(algorithm->name), algorithm->route != nullptr) << algorithm->name;
    }
  }
}

TEST(Sweep, HasEveryRadixUpTo32Ranks) {
  std::set<std::pair<int, int>> swept;
  for (const Problem &problem : sweep(Breadth::full)) {
    if (problem.algorithm == "tuna") swept.emplace(problem.ranks, problem.parameters.radix);
  }
  for (int ranks = 1; ranks <= 32; ++ranks) {
    for (int radix = 2; radix <= ranks; ++radix) EXPECT_TRUE(swept.contains({ranks, radix})) << ranks << " " << radix;
  }
  for (int ranks = 33; ranks <= 64; ++ranks) EXPECT_TRUE(swept.contains({ranks, ranks - 1})) << ranks;
}

TEST(Sweep, HasNoProblemThatIsNotServed) {
  for (const Problem &problem : sweep(Breadth::quick)) {
    EXPECT_EQ(select(problem, case_of(problem)).obstacle, "") << to_string(problem);
  }
}

TEST(Sweep, ItsProblemsCanBeWrittenDown) {
  for (const Problem &problem : sweep(Breadth::quick)) EXPECT_EQ(parse_problem(to_string(problem)), problem);
}

TEST(Sweep, HasEveryAlgorithmOfAnySizeWithSizesThatVary) {
  const Problem uneven = parse_problem("alltoallv_varying p=16 node=4");
  std::set<std::string_view> swept;
  const auto problems = sweep(Breadth::quick);
  for (const Problem &problem : problems) {
    if (problem.varies()) swept.insert(problem.algorithm);
  }
  for (const Algorithm *algorithm : algorithms()) {
    Problem problem = uneven;
    problem.algorithm = algorithm->name;
    EXPECT_EQ(swept.contains(algorithm->name), select(problem, case_of(problem)).obstacle.empty()) << algorithm->name;
  }
}

TEST(Sweep, OnMpiEveryAlgorithmHasSmallAndLargeBlocks) {
  std::set<std::string_view> small;
  std::set<std::string_view> large;
  const auto problems = mpi_sweep(4, Breadth::quick);
  for (const Problem &problem : problems) (problem.largest <= 40 ? small : large).insert(problem.algorithm);
  for (const Algorithm *algorithm : algorithms()) {
    EXPECT_TRUE(small.contains(algorithm->name)) << algorithm->name;
    EXPECT_TRUE(large.contains(algorithm->name)) << algorithm->name;
  }
}

TEST(Sweep, OnMpiHasNativeAndTheChoiceAndAlltoall) {
  bool native = false;
  bool choice = false;
  bool alltoall = false;
  for (const Problem &problem : mpi_sweep(4, Breadth::quick)) {
    native = native || problem.algorithm == "native";
    choice = choice || problem.algorithm.empty();
    alltoall = alltoall || problem.call == Problem::Call::alltoall;
  }
  EXPECT_TRUE(native);
  EXPECT_TRUE(choice);
  EXPECT_TRUE(alltoall);
}

}  // namespace
}  // namespace rondo::internal::cli
