// Other buffers for a plan: what arrives, and where, is as with a plan that was made for them.

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

class RebindBy : public testing::TestWithParam<Way> {
 protected:
  // A plan made for the first, run on both in turns.
  static void expect_both(Comparison &first, Comparison &second) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    ASSERT_EQ(first.init(&request, by(GetParam())), MPI_SUCCESS);
    for (int round = 0; round < 4; ++round) {
      Comparison &now = round % 2 == 0 ? second : first;
      now.prepare(round);
      ASSERT_EQ(RONDO_Rebind(&request, now.send_base(), now.receive_buffer.base()), MPI_SUCCESS);
      for (int start = 0; start < 3; ++start) {  // both halves of shared areas
        ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
        ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      }
      now.expect_equal("in round " + std::to_string(round));
    }
    EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  }
};
INSTANTIATE_TEST_SUITE_P(, RebindBy,
                         testing::ValuesIn(std::vector<Way>{{"linear", "shared"},
                                                            {"linear", "attached"},
                                                            {"linear", "packed"},
                                                            {"linear", "datatype"},
                                                            {"tuna", "shared"},
                                                            {"tuna", "attached"},
                                                            {"tuna", "mixed"},
                                                            {"tuna", "datatype"},
                                                            {"native"}}),
                         way_name);

TEST_P(RebindBy, ShortBlocks) {
  Comparison first = Comparison::of(varied);
  Comparison second = Comparison::of(varied);

  expect_both(first, second);
}

// Those that others read where they lie.
TEST_P(RebindBy, LongBlocks) {
  Comparison first = Comparison::of(very_long_and_short);
  Comparison second = Comparison::of(very_long_and_short);

  expect_both(first, second);
}

TEST_P(RebindBy, InPlace) {
  Comparison first = Comparison::in_place(receives(symmetric));
  Comparison second = Comparison::in_place(receives(symmetric));

  expect_both(first, second);
}

TEST_P(RebindBy, InPlaceOfThePlansBuffer) {
  const ArgumentSide side = receives(symmetric);
  const Hints hints = by(GetParam());
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(
      RONDO_Alltoallv_init(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, RONDO_PLAN_BUFFER, side.counts.data(),
                           side.displacements.data(), side.type, MPI_COMM_WORLD, hints.info(), &request),
      MPI_SUCCESS);
  EXPECT_EQ(RONDO_Rebind(&request, MPI_IN_PLACE, RONDO_PLAN_BUFFER), MPI_SUCCESS);
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

TEST_P(RebindBy, ElementsWithGaps) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  Comparison first({sends(varied, {}, every_other), receives(varied, {}, every_other)});
  Comparison second({sends(varied, {}, every_other), receives(varied, {}, every_other)});

  expect_both(first, second);

  MPI_Type_free(&every_other);
}

// Nobody else has to do or know anything.
TEST(Rebind, OnOneRankOnly) {
  for (const Way &way : {Way{"linear", "shared"}, Way{"linear", "packed"}, Way{"tuna", "shared"}}) {
    Comparison first = Comparison::of(very_long_and_short);
    Comparison second = Comparison::of(very_long_and_short);
    RONDO_Request request = RONDO_REQUEST_NULL;
    ASSERT_EQ(first.init(&request, by(way)), MPI_SUCCESS);
    for (int round = 0; round < 2 * world_ranks(); ++round) {
      const bool moves = round % world_ranks() == world_rank();
      Comparison &now = moves ? second : first;
      now.prepare(round);
      ASSERT_EQ(RONDO_Rebind(&request, now.send_base(), now.receive_buffer.base()), MPI_SUCCESS);
      ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
      ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      now.expect_equal(to_string(way) + " in round " + std::to_string(round));
    }
    EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  }
}

TEST(Rebind, RefusedLeavesThePlanAsItWas) {
  Comparison comparison = Comparison::of(three);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(comparison.init(&request), MPI_SUCCESS);
  void *const receive = comparison.receive_buffer.base();

  EXPECT_EQ(RONDO_Rebind(&request, nullptr, receive), RONDO_ERR_BUFFER);
  EXPECT_EQ(RONDO_Rebind(&request, comparison.send_base(), nullptr), RONDO_ERR_BUFFER);
  EXPECT_EQ(RONDO_Rebind(&request, MPI_IN_PLACE, receive), RONDO_ERR_BUFFER);
  const Refusal refusal = refused(RONDO_Rebind(&request, RONDO_PLAN_BUFFER, receive));
  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
  EXPECT_EQ(refusal.message, "the send buffer is RONDO_PLAN_BUFFER, unlike at init");

  Request plan(request);
  comparison.expect_restarts(plan);
}

// What is received would overwrite what is sent: init refuses it, too.
TEST(Rebind, ToOneBufferForBothIsRefusedAndLeavesThePlanAsItWas) {
  Comparison comparison = Comparison::of(three);
  Request plan = comparison.plan(by("tuna"));
  RONDO_Request request = plan.native();

  for (void *both : {comparison.receive_buffer.base(), comparison.send_buffer.base()}) {
    const Refusal refusal = refused(RONDO_Rebind(&request, both, both));
    const int expected = world_ranks() == 1 ? MPI_SUCCESS : RONDO_ERR_OVERLAP;  // what a rank sends itself may stay
    EXPECT_EQ(refusal.code, expected);
  }

  if (world_ranks() == 1) return;
  comparison.expect_restarts(plan);
}

TEST(Rebind, ToBuffersThatShareSomeBytesIsRefused) {
  if (world_ranks() == 1) GTEST_SKIP() << "what a rank sends itself may stay";
  Comparison comparison = Comparison::of(three);
  Request plan = comparison.plan();
  RONDO_Request request = plan.native();
  std::vector<int> both(static_cast<std::size_t>(6 * world_ranks()) - 1);

  const Refusal refusal =
      refused(RONDO_Rebind(&request, both.data(), &both[static_cast<std::size_t>(3 * world_ranks()) - 1]));

  EXPECT_EQ(refusal.code, RONDO_ERR_OVERLAP);
  EXPECT_EQ(RONDO_Rebind(&request, both.data(), comparison.receive_buffer.base()), MPI_SUCCESS);
}

TEST(Rebind, ToTheBufferThatThePlanSendsFromIsRefused) {
  if (world_ranks() == 1) GTEST_SKIP() << "what a rank sends itself may stay";
  Comparison comparison = Comparison::of(three);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoall_init(RONDO_PLAN_BUFFER, 3, MPI_INT, comparison.receive_buffer.base(), 3, MPI_INT,
                                MPI_COMM_WORLD, MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  Request plan(request);

  EXPECT_EQ(RONDO_Rebind(&request, RONDO_PLAN_BUFFER, plan.send_buffer<void>()), RONDO_ERR_OVERLAP);
  EXPECT_EQ(RONDO_Rebind(&request, RONDO_PLAN_BUFFER, comparison.receive_buffer.base()), MPI_SUCCESS);
}

TEST(Rebind, OfAnActiveRequestIsRefused) {
  Comparison comparison = Comparison::of(three);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(comparison.init(&request), MPI_SUCCESS);
  comparison.prepare(0);
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);

  EXPECT_EQ(RONDO_Rebind(&request, comparison.send_base(), comparison.receive_buffer.base()), RONDO_ERR_REQUEST);

  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  comparison.expect_equal();
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

TEST(Rebind, OfANullRequestIsRefused) {
  RONDO_Request request = RONDO_REQUEST_NULL;

  EXPECT_EQ(RONDO_Rebind(&request, nullptr, nullptr), RONDO_ERR_REQUEST);
}

// Which is collective, and so refused on all ranks.
TEST(RebindOfANativePlan, RefusedOnOneRankIsToldByAll) {
  Comparison comparison = Comparison::of(three);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(comparison.init(&request, by("native")), MPI_SUCCESS);
  const int last = world_ranks() - 1;
  void *const to = world_rank() == last ? nullptr : comparison.receive_buffer.base();

  const Refusal refusal = refused(RONDO_Rebind(&request, comparison.send_base(), to));

  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER) << refusal.message;
  EXPECT_EQ(refusal.values.rank, last);
  Request plan(request);
  comparison.expect_restarts(plan);
}

}  // namespace
}  // namespace rondo
