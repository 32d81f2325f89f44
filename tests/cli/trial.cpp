#include "cli/trial.hpp"

#include <gtest/gtest.h>

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
