// What arrives is what MPI_Alltoallv brings, whatever the counts and displacements, whichever the algorithm.

#include <array>

#include "tests/mpi/comparison.hpp"

namespace rondo {
namespace {

// Several layouts on every wire; `rondo verify --mpi --sweep` has all algorithms.
constexpr Way ways[] = {{""},
                        {"linear", "shared"},
                        {"linear", "attached"},
                        {"linear", "packed"},
                        {"pairwise", "mixed"},
                        {"tuna", "shared"},
                        {"tuna", "packed"},
                        {"tuna", "mixed"},
                        {"two_phase_bruck", "shared"},
                        {"padded_bruck", "packed"},
                        {"sloav", "mixed"},
                        {"native"}};

class AlltoallvBy : public testing::TestWithParam<Way> {
 protected:
  static void expect_restarts(Comparison comparison) {
    Request plan = comparison.plan(by(GetParam()));

    comparison.expect_restarts(plan);
  }
};
INSTANTIATE_TEST_SUITE_P(, AlltoallvBy, testing::ValuesIn(ways), way_name);

TEST_P(AlltoallvBy, CountsVary) {
  expect_restarts(Comparison::of(varied));
}

TEST_P(AlltoallvBy, GapsBetweenBlocks) {
  expect_restarts(Comparison::of(varied, {.gap = 2}, {.gap = 3}));
}

TEST_P(AlltoallvBy, BlocksNotInRankOrder) {
  expect_restarts(Comparison::of(varied, {.backwards = true}, {.gap = 1, .backwards = true}));
}

TEST_P(AlltoallvBy, NegativeDisplacements) {
  expect_restarts(Comparison::of(varied, {.first = -9}, {.first = -5, .gap = 1}));
}

TEST_P(AlltoallvBy, AllCountsZero) {
  expect_restarts(Comparison::of(none));
}

TEST_P(AlltoallvBy, OneRankSendsEverything) {
  expect_restarts(Comparison::of(rank_0_sends_all));
}

TEST_P(AlltoallvBy, InPlace) {
  expect_restarts(Comparison::in_place(receives(symmetric, {.gap = 1, .backwards = true})));
}

class LongBlocksBy : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, LongBlocksBy,
                         testing::ValuesIn(std::vector<Way>{{""},
                                                            {"linear", "shared"},
                                                            {"linear", "packed"},
                                                            {"scattered", "mixed"},
                                                            {"padded_alltoall", "shared"},
                                                            {"padded_bruck", "shared"},
                                                            {"padded_bruck", "packed"},
                                                            {"two_phase_bruck", "shared"},
                                                            {"two_phase_bruck", "mixed"},
                                                            {"irregular_zero_copy_bruck", "shared"},
                                                            {"irregular_zero_copy_bruck", "datatype"},
                                                            {"sloav", "shared"},
                                                            {"tuna", "shared"},
                                                            {"tuna", "mixed"},
                                                            {"native"}}),
                         way_name);

TEST_P(LongBlocksBy, Alltoallv) {
  Comparison comparison = Comparison::of(long_and_short, {.gap = 1}, {.backwards = true});

  Request plan = comparison.plan(by(GetParam()));

  comparison.expect_restarts(plan);
}

// Inside a node they are fetched by the receiver, straight out of where they rest.
TEST_P(LongBlocksBy, OfARankThatSendsMuch) {
  Comparison comparison = Comparison::of(very_long_and_short, {.gap = 1}, {.backwards = true});

  Request plan = comparison.plan(by(GetParam()));

  comparison.expect_restarts(plan);
}

TEST(Alltoallv, NullArraysAndBuffersWhereAllCountsAreZero) {
  const std::vector<int> zeros(static_cast<std::size_t>(world_ranks()), 0);

  for (const Way &way : ways) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    const int code = RONDO_Alltoallv_init(nullptr, zeros.data(), nullptr, MPI_INT, nullptr, zeros.data(), nullptr,
                                          MPI_INT, MPI_COMM_WORLD, by(way).info(), &request);
    ASSERT_EQ(code, MPI_SUCCESS) << to_string(way);
    Request plan(request);
    for (int round = 0; round < 3; ++round) EXPECT_NO_THROW(plan.run()) << to_string(way);
  }
}

TEST(Alltoallv, ArgumentArraysOverwrittenAndFreedAfterInit) {
  Comparison comparison = Comparison::of(varied, {.gap = 1}, {.gap = 2});
  for (const Way &way : ways) {
    Comparison copy = comparison;
    Request plan = copy.plan(by(way));
    for (ArgumentSide *side : {&copy.send, &copy.receive}) {
      std::fill(side->counts.begin(), side->counts.end(), -1);
      std::fill(side->displacements.begin(), side->displacements.end(), 1 << 20);
      side->counts = {};
      side->displacements = {};
    }
    copy.send = comparison.send;  // other arrays, for MPI_Alltoallv
    copy.receive = comparison.receive;

    copy.expect_restarts(plan);
  }
}

TEST(Alltoallv, ArgumentArraysAreNotModified) {
  for (const Way &way : ways) {
    Comparison comparison = Comparison::of(varied, {.gap = 1}, {.backwards = true});
    const ArgumentSide send = comparison.send;
    const ArgumentSide receive = comparison.receive;

    Request plan = comparison.plan(by(way));
    comparison.expect_restarts(plan);

    EXPECT_EQ(comparison.send.counts, send.counts) << to_string(way);
    EXPECT_EQ(comparison.send.displacements, send.displacements) << to_string(way);
    EXPECT_EQ(comparison.receive.counts, receive.counts) << to_string(way);
    EXPECT_EQ(comparison.receive.displacements, receive.displacements) << to_string(way);
  }
}

TEST(Alltoallv, LargeCountForm) {
  Comparison comparison = Comparison::of(varied, {.gap = 1}, {.first = -3, .backwards = true});
  const auto counts = [](const ArgumentSide &side) {
    return std::vector<MPI_Count>(side.counts.begin(), side.counts.end());
  };
  const auto displacements = [](const ArgumentSide &side) {
    return std::vector<MPI_Aint>(side.displacements.begin(), side.displacements.end());
  };

  RONDO_Request request = RONDO_REQUEST_NULL;
  const int code = RONDO_Alltoallv_init_c(
      comparison.send_base(), counts(comparison.send).data(), displacements(comparison.send).data(), MPI_INT,
      comparison.receive_buffer.base(), counts(comparison.receive).data(), displacements(comparison.receive).data(),
      MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  ASSERT_EQ(code, MPI_SUCCESS);
  Request plan(request);

  comparison.expect_restarts(plan);
}

class AlltoallBy : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, AlltoallBy,
                         testing::ValuesIn(std::vector<Way>{{""},
                                                            {"linear", "packed"},
                                                            {"basic_bruck", "shared"},
                                                            {"basic_bruck", "packed"},
                                                            {"modified_bruck", "shared"},
                                                            {"modified_bruck", "mixed"},
                                                            {"zero_rotation_bruck", "shared"},
                                                            {"zero_rotation_bruck", "packed"},
                                                            {"zero_copy_bruck", "shared"},
                                                            {"zero_copy_bruck", "packed"},
                                                            {"padded_alltoall", "mixed"},
                                                            {"native"}}),
                         way_name);

TEST_P(AlltoallBy, SameCountForAll) {
  Comparison comparison = Comparison::of(three);

  Request plan = comparison.plan_alltoall(by(GetParam()));

  comparison.expect_restarts(plan);
}

TEST_P(AlltoallBy, LongBlocks) {
  Comparison comparison = Comparison::of([](int, int) { return 9000; });

  Request plan = comparison.plan_alltoall(by(GetParam()));

  comparison.expect_restarts(plan);
}

TEST_P(AlltoallBy, InPlace) {
  Comparison comparison = Comparison::in_place(receives(three));

  Request plan = comparison.plan_alltoall(by(GetParam()));

  comparison.expect_restarts(plan);
}

TEST(Alltoall, LargeCountForm) {
  Comparison comparison = Comparison::of(three);

  RONDO_Request request = RONDO_REQUEST_NULL;
  const int code = RONDO_Alltoall_init_c(comparison.send_base(), 3, MPI_INT, comparison.receive_buffer.base(), 3,
                                         MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  ASSERT_EQ(code, MPI_SUCCESS);
  Request plan(request);

  comparison.expect_restarts(plan);
}

TEST(Alltoall, NullBuffersWhereTheCountIsZero) {
  RONDO_Request request = RONDO_REQUEST_NULL;

  const int code =
      RONDO_Alltoall_init(nullptr, 0, MPI_INT, nullptr, 0, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);

  ASSERT_EQ(code, MPI_SUCCESS);
  EXPECT_NO_THROW(Request(request).run());
}

}  // namespace
}  // namespace rondo
