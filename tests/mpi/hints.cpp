// Hints by info and by environment: what they do, and how bad ones are refused.

#include <cstdlib>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

class HintsOfInit : public testing::Test {
 protected:
  Refusal refused_init(const Hints &hints) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    const Refusal refusal = refused(comparison.init(&request, hints));
    EXPECT_EQ(request, RONDO_REQUEST_NULL);
    return refusal;
  }

  Comparison comparison = Comparison::of(varied);
};

// An environment variable, while it lives.
class Variable {
 public:
  Variable(const char *name, const char *value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

 private:
  const char *name_;
};

// ---- What they do ------------------------------------------------------------------------------------------

TEST_F(HintsOfInit, AlgorithmAndRadix) {
  Request plan = comparison.plan({{"rondo_algorithm", "tuna"}, {"rondo_radix", "3"}});

  EXPECT_STREQ(plan.report().algorithm, "tuna");
  EXPECT_EQ(plan.report().radix, std::clamp(world_ranks(), 2, 3));
  comparison.expect_restarts(plan);
}

TEST_F(HintsOfInit, RadixAboveTheNumberOfRanks) {
  Request plan = comparison.plan({{"rondo_algorithm", "tuna"}, {"rondo_radix", "1000"}});

  EXPECT_EQ(plan.report().radix, std::max(2, world_ranks()));
  comparison.expect_restarts(plan);
}

TEST_F(HintsOfInit, BlockCount) {
  Request plan = comparison.plan({{"rondo_algorithm", "scattered"}, {"rondo_block_count", "1"}});

  EXPECT_EQ(plan.report().block_count, 1);
  comparison.expect_restarts(plan);
}

TEST_F(HintsOfInit, ScratchLimitOfNothingLeavesDirectPlans) {
  Request plan = comparison.plan({{"rondo_scratch_limit", "0"}});

  EXPECT_EQ(plan.report().scratch_bytes, 0);
  EXPECT_EQ(plan.report().staging_bytes, 0);
  comparison.expect_restarts(plan);
}

TEST_F(HintsOfInit, KeysOfOthersAreLeftAlone) {
  Request plan = comparison.plan({{"collective_buffering", "true"}, {"rondo_algorithm", "linear"}});

  EXPECT_STREQ(plan.report().algorithm, "linear");
}

TEST_F(HintsOfInit, EnvironmentVariables) {
  const Variable algorithm("RONDO_ALGORITHM", "tuna");
  const Variable radix("RONDO_RADIX", "2");

  Request plan = comparison.plan();

  EXPECT_STREQ(plan.report().algorithm, "tuna");
  EXPECT_EQ(plan.report().radix, 2);
  comparison.expect_restarts(plan);
}

TEST_F(HintsOfInit, InfoWinsOverTheEnvironment) {
  const Variable variable("RONDO_ALGORITHM", "tuna");

  const Request plan = comparison.plan({{"rondo_algorithm", "pairwise"}});

  EXPECT_STREQ(plan.report().algorithm, "pairwise");
}

// ---- Bad ones ----------------------------------------------------------------------------------------------

TEST_F(HintsOfInit, UnknownKey) {
  const Refusal refusal = refused_init({{"rondo_algoritm", "tuna"}});

  EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
  EXPECT_TRUE(refusal.message.starts_with(
      "rank 0: there is no hint 'rondo_algoritm' (did you mean 'rondo_algorithm'?); there are rondo_algorithm, "))
      << refusal.message;
}

TEST_F(HintsOfInit, UnknownKeyOnOneRank) {
  const Refusal refusal = refused_init(world_rank() == world_ranks() - 1 ? Hints{{"rondo_x", "1"}} : Hints{});

  EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
  EXPECT_EQ(refusal.values.rank, world_ranks() - 1);
}

TEST_F(HintsOfInit, ValuesThatDoNotParse) {
  const std::pair<const char *, const char *> bad[] = {
      {"rondo_radix", "two"},          {"rondo_radix", "0"},          {"rondo_radix", "3x"},
      {"rondo_block_count", "0"},      {"rondo_block_count", "-4"},   {"rondo_scratch_limit", "1e6"},
      {"rondo_scratch_limit", "-1"},   {"rondo_validate", "perhaps"}, {"rondo_report", "2"},
      {"rondo_long_messages", "long"}, {"rondo_tune", "guess"},       {"rondo_wire", "string"},
      {"rondo_native", "blocking"},    {"rondo_progress", "yes"},     {"rondo_node_size", "a"},
      {"rondo_stall_timeout", "-1"},   {"rondo_stall_timeout", "1s"}, {"rondo_stall_timeout", "inf"}};
  for (const auto &[key, value] : bad) {
    const Refusal refusal = refused_init({{key, value}});

    EXPECT_EQ(refusal.code, RONDO_ERR_HINT) << key << " " << value;
    EXPECT_TRUE(
        refusal.message.starts_with(std::string("rank 0: hint ") + key + " of the info: '" + value + "' is not "))
        << refusal.message;
  }
}

// This program has initialised MPI for one thread.
TEST_F(HintsOfInit, ProgressThreadNeedsAThreadLevel) {
  const Refusal refusal = refused_init({{"rondo_progress", "thread"}, {"rondo_wire", "shared"}});

  EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
  EXPECT_EQ(refusal.message,
            "rank 0: rondo_progress=thread needs MPI_THREAD_FUNNELED where messages go through shared memory only; the "
            "program has MPI_THREAD_SINGLE");
  EXPECT_EQ(refusal.values.value, MPI_THREAD_SINGLE);
  EXPECT_EQ(refusal.values.other, MPI_THREAD_FUNNELED);
}

TEST_F(HintsOfInit, EnvironmentVariableThatDoesNotParse) {
  const Variable radix("RONDO_RADIX", "many");

  const Refusal refusal = refused_init({});

  EXPECT_EQ(refusal.message,
            "rank 0: environment variable RONDO_RADIX: 'many' is not a whole number from 1 to 2147483647");
}

TEST_F(HintsOfInit, NumberThatIsTooLargeIsToldTheBounds) {
  const Refusal refusal = refused_init({{"rondo_radix", "100000000000"}});

  EXPECT_EQ(refusal.message,
            "rank 0: hint rondo_radix of the info: '100000000000' is not a whole number from 1 to 2147483647");
}

TEST_F(HintsOfInit, TruthInAnyCase) {
  for (const char *value : {"TRUE", "True", "Yes", "FALSE", "No"}) {
    Request plan = comparison.plan({{"rondo_validate", value}});

    comparison.expect_restarts(plan, 1);
  }
}

TEST_F(HintsOfInit, DifferentOnOneRank) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is nobody to differ from";

  const Refusal refusal = refused_init(by(world_rank() == 0 ? "tuna" : "linear"));

  EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
  EXPECT_EQ(
      refusal.message,
      "rank 1: the hints are not the same on all ranks: rondo_algorithm is 'linear' here (hint rondo_algorithm of "
      "the info), and 'tuna' on rank 0");
  EXPECT_EQ(refusal.values.rank, 1);
  EXPECT_EQ(refusal.values.peer, 0);
}

TEST_F(HintsOfInit, OneOfSeveralIsMissingOnOneRank) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is nobody to differ from";
  const int last = world_ranks() - 1;
  const Variable report("RONDO_VALIDATE", "1");
  if (world_rank() == last) setenv("RONDO_VALIDATE", "0", 1);

  const Refusal different = refused_init(by("tuna"));
  if (world_rank() == last) unsetenv("RONDO_VALIDATE");
  const Refusal missing = refused_init(by("tuna"));

  const std::string rank =
      "rank " + std::to_string(last) + ": the hints are not the same on all ranks: rondo_validate is ";
  EXPECT_EQ(different.message, rank + "'0' here (environment variable RONDO_VALIDATE), and '1' on rank 0");
  EXPECT_EQ(missing.message, rank + "not set here, and '1' on rank 0");
}

TEST_F(HintsOfInit, UnknownAlgorithmListsThoseThereAre) {
  const Refusal refusal = refused_init(by("bruk"));

  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_TRUE(refusal.message.starts_with("there is no algorithm 'bruk'; there are native, ")) << refusal.message;
  for (const char *name : {"linear", "tuna", "two_phase_bruck"}) {
    EXPECT_NE(refusal.message.find(std::string(", ") + name), std::string::npos) << name;
  }
}

TEST_F(HintsOfInit, MisspeltAlgorithmOfTheEnvironment) {
  const Variable algorithm("RONDO_ALGORITHM", "spreadout");

  const Refusal refusal = refused_init({});

  EXPECT_TRUE(
      refusal.message.starts_with("environment variable RONDO_ALGORITHM: there is no algorithm 'spreadout' (did "
                                  "you mean 'spread_out'?); there are native, "))
      << refusal.message;
}

TEST_F(HintsOfInit, ExclusiveOrOnThreeRanksGivesTheReason) {
  if (world_ranks() != 3) GTEST_SKIP() << "for three ranks";

  const Refusal refusal = refused_init(by("exclusive_or"));

  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_EQ(refusal.message,
            "exclusive_or is not applicable: the number of ranks must be a power of two, "
            "and is 3");
}

TEST_F(HintsOfInit, BasicBruckOfSeveralSizesGivesTheReason) {
  if (world_ranks() == 1) GTEST_SKIP() << "one block has one size";

  const Refusal refusal = refused_init(by("basic_bruck"));

  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_TRUE(
      refusal.message.starts_with("basic_bruck is not applicable: all blocks must have the "
                                  "same size, and have 0 to "))
      << refusal.message;
}

TEST_F(HintsOfInit, ScratchLimitForbidsTheAlgorithmAskedFor) {
  if (world_ranks() < 4) GTEST_SKIP() << "nothing rests on three ranks";

  const Refusal refusal =
      refused_init({{"rondo_algorithm", "tuna"}, {"rondo_radix", "2"}, {"rondo_scratch_limit", "1"}});

  EXPECT_EQ(refusal.code, RONDO_ERR_NO_MEMORY);
  EXPECT_GT(refusal.values.value, 1);
  EXPECT_EQ(refusal.values.other, 1);
}

}  // namespace
}  // namespace rondo
