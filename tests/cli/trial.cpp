#include "cli/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/exchanges.hpp"
#include "cli/memory.hpp"
#include "cli/varying_trial.hpp"

namespace rondo::internal::cli {
namespace {

Verdict try_text(const char *text) {
  return try_problem(parse_problem(text));
}

TEST(Trial, EveryAlgorithmThatServesIsRight) {
  for (const Algorithm *algorithm : algorithms()) {
    if (algorithm->route == nullptr) continue;
    const std::string text = "alltoallv p=8 dist=constant max=5 gap=1 place=shuffled algorithm=";

    EXPECT_EQ(try_problem(parse_problem(text + std::string(algorithm->name))).text, "");
  }
}

TEST(Trial, AllGathersAreRightByEveryAlgorithmThatServes) {
  for (const char *groups : {"", " group=3", " group=7"}) {
    int served = 0;
    for (const Algorithm *algorithm : algorithms(all_gather)) {
      if (algorithm->layout == Layout::native) continue;
      const std::string text = "allgatherv p=8 node=3 dist=uniform max=50 gap=1 place=shuffled algorithm=";

      const Verdict verdict = try_problem(parse_problem(text + std::string(algorithm->name) + groups));

      EXPECT_NE(verdict.kind, Verdict::Kind::wrong) << verdict.text;
      served += verdict.kind == Verdict::Kind::right ? 1 : 0;
    }
    EXPECT_GE(served, 2) << groups;
  }
}

// Of two exchanges that differ in what a rank has for all.
TEST(Trial, AnAllGatherOfOtherBytesIsFound) {
  const Problem problem = parse_problem("allgatherv p=2 dist=constant max=8");
  const Exchange exchange = exchange_of(problem, BlockSizes(problem), 0);
  RankMemory memory(exchange);
  memory.prepare(0);
  const Spaces spaces = memory.spaces();
  std::copy_n(spaces.send, 8, spaces.receive);
  std::copy_n(spaces.send, 8, spaces.receive + 8);  // rank 0's data, where rank 1's should be

  EXPECT_NE(memory.fault().find("of the block from rank 1 is wrong"), std::string::npos) << memory.fault();
}

TEST(Trial, AnObstacleIsNotServedAndSaysWhy) {
  const Verdict verdict = try_text("alltoallv p=6 algorithm=exclusive_or");

  EXPECT_EQ(verdict.kind, Verdict::Kind::not_served);
  EXPECT_EQ(verdict.text,
            "the number of ranks must be a power of two, and is 6: "
            "alltoallv p=6 algorithm=exclusive_or dist=uniform max=64 seed=1");
}

TEST(Trial, NativeIsNotServedInOneProcess) {
  EXPECT_EQ(try_text("alltoallv p=6 algorithm=native").kind, Verdict::Kind::not_served);
}

TEST(Trial, SizesThatVaryAreRightByEveryAlgorithmThatServes) {
  int served = 0;
  for (const Algorithm *algorithm : algorithms()) {
    Problem problem = parse_problem("alltoallv_varying p=8 node=4 dist=uniform max=300 gap=1 place=shuffled");
    problem.algorithm = algorithm->name;

    const Verdict verdict = try_problem(problem);

    EXPECT_NE(verdict.kind, Verdict::Kind::wrong) << verdict.text;
    served += verdict.kind == Verdict::Kind::right ? 1 : 0;
  }
  EXPECT_GE(served, 8);
}

TEST(Trial, BlocksOfOneSizeAreNotServedWhereSizesVary) {
  const Verdict verdict = try_text("alltoallv_varying p=4 algorithm=zero_rotation_bruck");

  EXPECT_EQ(verdict.kind, Verdict::Kind::not_served);
}

TEST(Trial, WhatPadsLearnsTheLargestBlockWhereSizesVary) {
  EXPECT_EQ(try_text("alltoallv_varying p=5 algorithm=padded_bruck dist=uniform max=300").kind, Verdict::Kind::right);
}

class StartOfThree : public testing::Test {
 protected:
  // What rank 1 of three receives in the second start, as it should be.
  StartOfThree() {
    for (int source = 0; source < 3; ++source) {
      bytes.push_back(memory.exchange().receive[static_cast<std::size_t>(source)].length);
      offsets.push_back(static_cast<std::int64_t>(data.size()));
      const StartMemory sender(problem, source, 1);
      const BlockData block = sender.blocks()[1];
      data.insert(data.end(), block.data, block.data + block.bytes);
    }
  }

  const Problem problem = parse_problem("alltoallv_varying p=3 dist=window:10 max=20 gap=2");
  const StartMemory memory{problem, 1, 1};
  std::vector<std::byte> data;
  std::vector<std::int64_t> bytes;
  std::vector<std::int64_t> offsets;
};

TEST_F(StartOfThree, IsRightAsItShouldBe) {
  EXPECT_EQ(memory.fault(data.data(), bytes, offsets), "");
}

TEST_F(StartOfThree, HasOtherSizesThanTheFirst) {
  const StartMemory first(problem, 1, 0);

  EXPECT_NE(first.fault(data.data(), bytes, offsets), "");
}

TEST_F(StartOfThree, NamesTheByteThatIsWrong) {
  data[static_cast<std::size_t>(offsets[2] + 3)] ^= std::byte{1};

  EXPECT_EQ(memory.fault(data.data(), bytes, offsets), "start 2, rank 1: the block from rank 2 is wrong at byte 3");
}

TEST_F(StartOfThree, NamesALengthAndAPlaceThatAreWrong) {
  ++offsets[1];
  EXPECT_NE(memory.fault(data.data(), bytes, offsets).find("the block from rank 1 lies at"), std::string::npos);

  ++bytes[0];
  EXPECT_NE(memory.fault(data.data(), bytes, offsets).find("the block from rank 0 has"), std::string::npos);
}

TEST(Trial, MoreThanTheMachinesMemoryIsToldNotTried) {
  const Verdict verdict = try_text("alltoallv p=64 algorithm=linear dist=constant max=1000000000000");

  EXPECT_EQ(verdict.kind, Verdict::Kind::wrong);
  EXPECT_NE(verdict.text.find("GiB"), std::string::npos) << verdict.text;
}

TEST(Trial, WithoutAnAlgorithmTheLibrarysChoiceIsTried) {
  EXPECT_EQ(try_text("alltoallv p=5 dist=constant max=3").text, "");
}

}  // namespace
}  // namespace rondo::internal::cli
