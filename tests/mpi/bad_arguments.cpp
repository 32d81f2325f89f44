// Whatever is wrong, on whichever ranks: every rank gets the same error with the values in it, no rank hangs, and
// the next init on the communicator works.

#include <limits>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

class BadArguments : public testing::Test {
 protected:
  void TearDown() override {
    Comparison good = Comparison::of(varied);
    Request plan = good.plan();
    good.expect_restarts(plan, 1);
  }

  Refusal refused_init(const Hints &hints = {}) {
    RONDO_Request request = not_null();
    const Refusal refusal = refused(comparison.init(&request, hints));
    EXPECT_EQ(request, RONDO_REQUEST_NULL);
    return refusal;
  }

  // One double, with these counts and displacements on both sides.
  static Refusal refused_large_init(const std::vector<MPI_Count> &counts, const std::vector<MPI_Aint> &displacements) {
    RONDO_Request request = not_null();
    double buffer = 0;
    return refused(RONDO_Alltoallv_init_c(&buffer, counts.data(), displacements.data(), MPI_DOUBLE, &buffer,
                                          counts.data(), displacements.data(), MPI_DOUBLE, MPI_COMM_WORLD,
                                          MPI_INFO_NULL, &request));
  }

  // What a refused init must overwrite.
  static RONDO_Request not_null() {
    static int target;
    return reinterpret_cast<RONDO_Request>(&target);
  }

  const int last = world_ranks() - 1;
  Comparison comparison = Comparison::of(three);
};

// ---- Counts ------------------------------------------------------------------------------------------------

TEST_F(BadArguments, NegativeSendCountOnOneRank) {
  if (world_rank() == last) comparison.send.counts[0] = -5;

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
  EXPECT_EQ(refusal.message, "rank " + std::to_string(last) + ": the send count for rank 0 is negative: -5");
  EXPECT_EQ(refusal.values.rank, last);
  EXPECT_EQ(refusal.values.peer, 0);
  EXPECT_EQ(refusal.values.value, -5);
}

TEST_F(BadArguments, NegativeReceiveCountOnOneRank) {
  if (world_rank() == 0) comparison.receive.counts.back() = -1;

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
  EXPECT_EQ(refusal.message, "rank 0: the receive count for rank " + std::to_string(last) + " is negative: -1");
  EXPECT_EQ(refusal.values.peer, last);
}

TEST_F(BadArguments, LowestRankAtFaultIsNamed) {
  if (world_rank() > 0 || last == 0) comparison.send.counts[0] = -world_rank() - 10;

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.values.rank, last == 0 ? 0 : 1);
  EXPECT_EQ(refusal.values.value, last == 0 ? -10 : -11);
}

TEST_F(BadArguments, NegativeCountOfAnAlltoall) {
  RONDO_Request request = not_null();
  int buffer = 0;

  const Refusal refusal =
      refused(RONDO_Alltoall_init(&buffer, 1, MPI_INT, &buffer, -1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
  EXPECT_EQ(refusal.values.value, -1);
}

TEST_F(BadArguments, SizeBeyond64Bits) {
  const std::vector<MPI_Count> counts(static_cast<std::size_t>(world_ranks()), MPI_Count{1} << 61);
  const std::vector<MPI_Aint> displacements(counts.size(), 0);

  const Refusal refusal = refused_large_init(counts, displacements);

  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
  EXPECT_EQ(refusal.message, "rank 0: a block does not fit in 64 bits: 2305843009213693952 * 8");
  EXPECT_EQ(refusal.values.value, MPI_Count{1} << 61);
  EXPECT_EQ(refusal.values.other, 8);
}

TEST_F(BadArguments, DisplacementBeyond64Bits) {
  const std::vector<MPI_Count> counts(static_cast<std::size_t>(world_ranks()), 1);
  const std::vector<MPI_Aint> displacements(counts.size(), std::numeric_limits<MPI_Aint>::min() / 4);

  const Refusal refusal = refused_large_init(counts, displacements);

  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
}

TEST_F(BadArguments, CountOfAnAlltoallBeyond64Bits) {
  RONDO_Request request = not_null();
  double buffer = 0;

  const Refusal refusal =
      refused(RONDO_Alltoall_init_c(&buffer, MPI_Count{1} << 62, MPI_DOUBLE, &buffer, MPI_Count{1} << 62, MPI_DOUBLE,
                                    MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
}

// ---- Buffers and arrays ------------------------------------------------------------------------------------

TEST_F(BadArguments, NullSendBufferWithACountOnOneRank) {
  RONDO_Request request = not_null();
  const ArgumentSide &send = comparison.send;
  const ArgumentSide &receive = comparison.receive;

  const Refusal refusal = refused(
      RONDO_Alltoallv_init(world_rank() == last ? nullptr : comparison.send_base(), send.counts.data(),
                           send.displacements.data(), MPI_INT, comparison.receive_buffer.base(), receive.counts.data(),
                           receive.displacements.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
  EXPECT_EQ(refusal.message,
            "rank " + std::to_string(last) + ": the send buffer is null, but the send count for rank 0 is 3");
  EXPECT_EQ(refusal.values.rank, last);
}

TEST_F(BadArguments, NullReceiveBufferWithACount) {
  RONDO_Request request = not_null();

  const Refusal refusal = refused(RONDO_Alltoall_init(comparison.send_base(), 3, MPI_INT, nullptr, 3, MPI_INT,
                                                      MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
  EXPECT_EQ(refusal.message, "rank 0: the receive buffer is null, but the receive count for rank 0 is 3");
}

TEST_F(BadArguments, NullCounts) {
  RONDO_Request request = not_null();

  const Refusal refusal =
      refused(RONDO_Alltoallv_init(nullptr, nullptr, nullptr, MPI_INT, nullptr, comparison.receive.counts.data(),
                                   nullptr, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
}

TEST_F(BadArguments, NullDisplacementsWithACount) {
  RONDO_Request request = not_null();
  const std::vector<int> &counts = comparison.receive.counts;

  const Refusal refusal = refused(RONDO_Alltoallv_init(
      comparison.send_base(), counts.data(), comparison.send.displacements.data(), MPI_INT,
      comparison.receive_buffer.base(), counts.data(), nullptr, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
  EXPECT_EQ(refusal.message, "rank 0: recvdispls is null, but the count for rank 0 is 3");
}

TEST_F(BadArguments, NullRequest) {
  const Refusal refusal = refused(comparison.init(nullptr));

  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
}

TEST_F(BadArguments, NullRequestOnOneRank) {
  RONDO_Request request = RONDO_REQUEST_NULL;

  const Refusal refusal = refused(comparison.init(world_rank() == last ? nullptr : &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
  EXPECT_EQ(refusal.values.rank, last);
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
}

TEST_F(BadArguments, OverlappingReceiveRangesOnOneRank) {
  if (last == 0) GTEST_SKIP() << "one range overlaps no other";
  if (world_rank() == last) comparison.receive.displacements[1] = 1;

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.code, RONDO_ERR_OVERLAP);
  EXPECT_EQ(refusal.message, "rank " + std::to_string(last) +
                                 ": receive ranges overlap: bytes 0..12 from rank 0 and bytes 4..16 from rank 1");
  EXPECT_EQ(refusal.values.rank, last);
  EXPECT_EQ(refusal.values.peer, 0);
  EXPECT_EQ(refusal.values.other, 1);
  EXPECT_EQ(refusal.values.value, 4);
}

TEST_F(BadArguments, OverlapOfATypeWithGaps) {
  if (last == 0) GTEST_SKIP() << "one range overlaps no other";
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  Comparison overlapping(sends(three, {}, every_other), receives(three, {}, every_other));
  overlapping.receive.displacements[1] = 2;
  RONDO_Request request = not_null();

  const Refusal refusal = refused(overlapping.init(&request));

  EXPECT_EQ(refusal.code, RONDO_ERR_OVERLAP);
  MPI_Type_free(&every_other);
}

TEST_F(BadArguments, SentFromWhereItIsReceivedOnOneRank) {
  std::vector<int> memory(16 * static_cast<std::size_t>(world_ranks()));
  const int *send = world_rank() == last ? memory.data() : memory.data() + memory.size() / 2;
  RONDO_Request request = not_null();

  const Refusal refusal = refused(
      RONDO_Alltoall_init(send, 3, MPI_INT, memory.data() + 2, 3, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_OVERLAP);
  EXPECT_EQ(refusal.message, "rank " + std::to_string(last) +
                                 ": what is sent is overwritten: bytes -8..4 for rank 0 are bytes 0..12 from rank 0, "
                                 "counted from the receive buffer");
  EXPECT_EQ(refusal.values.rank, last);
}

TEST(BlocksOfBothSides, MayTakeTurnsInOneBuffer) {
  const int blocks = world_ranks();
  std::vector<int> memory(2 * static_cast<std::size_t>(blocks));
  std::vector<int> counts, to, from;
  for (int peer = 0; peer < blocks; ++peer) {
    counts.push_back(1);
    to.push_back(2 * peer);
    from.push_back(2 * peer + 1);
    memory[2 * static_cast<std::size_t>(peer)] = 100 * world_rank() + peer;
  }

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init(memory.data(), counts.data(), to.data(), MPI_INT, memory.data(), counts.data(),
                                 from.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  Request(request).run();

  for (int peer = 0; peer < blocks; ++peer) {
    EXPECT_EQ(memory[2 * static_cast<std::size_t>(peer) + 1], 100 * peer + world_rank());
  }
}

// ---- Sizes that do not match -------------------------------------------------------------------------------

TEST_F(BadArguments, SizesDifferWithValidation) {
  if (last == 0) GTEST_SKIP() << "a mismatch with oneself is another one";
  if (world_rank() == 0) comparison.receive.counts[1] = 1;

  const Refusal refusal = refused_init({{"rondo_validate", "1"}});

  EXPECT_EQ(refusal.code, RONDO_ERR_MISMATCH);
  EXPECT_EQ(refusal.message, "rank 0: rank 1 sends 12 bytes to rank 0, which receives 4 bytes");
  EXPECT_EQ(refusal.values.rank, 0);
  EXPECT_EQ(refusal.values.peer, 1);
  EXPECT_EQ(refusal.values.value, 12);
  EXPECT_EQ(refusal.values.other, 4);
}

TEST_F(BadArguments, SizesAgreeWithValidation) {
  Request plan = comparison.plan({{"rondo_validate", "1"}});

  comparison.expect_restarts(plan);
}

// Inside a node both ends of a message are known at init: a mismatch is told without a validation.
TEST_F(BadArguments, SizesDifferInsideANode) {
  if (last == 0) GTEST_SKIP() << "a mismatch with oneself is another one";
  for (const int sent : {0, 1, 4}) {
    Comparison wrong = comparison;
    if (world_rank() == 1) wrong.send.counts[0] = sent;
    RONDO_Request request = not_null();

    const Refusal refusal = refused(wrong.init(&request, by(Way{"spread_out", "shared"})));

    EXPECT_EQ(refusal.code, RONDO_ERR_MISMATCH);
    EXPECT_EQ(request, RONDO_REQUEST_NULL);
    EXPECT_EQ(refusal.values.rank, 0);
    EXPECT_EQ(refusal.values.peer, 1);
    EXPECT_EQ(refusal.values.value, 4 * sent);
    EXPECT_EQ(refusal.values.other, 12);
  }
}

// An algorithm that forwards learns all sizes at init and holds them against the receive counts.
TEST_F(BadArguments, SizesDifferWithoutValidationWhereBlocksAreForwarded) {
  if (last < 3) GTEST_SKIP() << "nothing is forwarded";
  if (world_rank() == 0) comparison.receive.counts[3] = 4;

  const Refusal refusal = refused_init(by("tuna"));

  EXPECT_EQ(refusal.code, RONDO_ERR_MISMATCH);
  EXPECT_EQ(refusal.values.rank, 0);
  EXPECT_EQ(refusal.values.peer, 3);
  EXPECT_EQ(refusal.values.value, 12);
  EXPECT_EQ(refusal.values.other, 16);
}

TEST_F(BadArguments, SizesDifferBetweenOneselfAndOneself) {
  if (world_rank() == last) comparison.receive.counts[static_cast<std::size_t>(last)] = 2;

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.code, RONDO_ERR_MISMATCH);
  EXPECT_EQ(refusal.values.rank, last);
  EXPECT_EQ(refusal.values.peer, last);
}

// ---- Communicators -----------------------------------------------------------------------------------------

Refusal refused_on(MPI_Comm comm) {
  Comparison comparison(sends(three), receives(three), comm);
  RONDO_Request request = RONDO_REQUEST_NULL;
  return refused(comparison.init(&request));
}

TEST_F(BadArguments, NullCommunicator) {
  const Refusal refusal = refused_on(MPI_COMM_NULL);

  EXPECT_EQ(refusal.code, RONDO_ERR_COMM);
  EXPECT_EQ(refusal.message, "the communicator is MPI_COMM_NULL");
}

TEST_F(BadArguments, FreedCommunicator) {
#if defined(OPEN_MPI)
  GTEST_SKIP() << "a handle of Open MPI is a pointer: nobody can tell";
#endif
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  const MPI_Comm stale = comm;
  MPI_Comm_free(&comm);

  const Refusal refusal = refused_on(stale);

  EXPECT_EQ(refusal.code, RONDO_ERR_COMM);
  EXPECT_EQ(refusal.message, "the communicator is no valid communicator (has it been freed?)");
}

TEST_F(BadArguments, Intercommunicator) {
  if (last == 0) GTEST_SKIP() << "there is one group only";
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  const int side = world_rank() % 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, world_rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 0, &both);

  RONDO_Request request = RONDO_REQUEST_NULL;

  const Refusal refusal = refused(RONDO_Alltoallv_varying_init(MPI_INT, MPI_INT, both, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_COMM);
  EXPECT_EQ(refusal.message, "the communicator is an intercommunicator; an intracommunicator is needed");
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

#if defined(OPEN_MPI)
// Its own calls that do not wait mix up the blocks.
TEST_F(BadArguments, NativeInPlaceWhereSomeBlocksAreEmpty) {
  if (last < 2) GTEST_SKIP() << "nobody has blocks for one and none for another";
  const CountRule only_with_rank_0 = [](int source, int destination) { return source * destination == 0 ? 5000 : 0; };
  Comparison in_place = Comparison::in_place(receives(only_with_rank_0));
  RONDO_Request request = RONDO_REQUEST_NULL;

  EXPECT_EQ(in_place.init(&request, {{"rondo_algorithm", "native"}}), RONDO_ERR_ALGORITHM);

  Request plan = in_place.plan();
  in_place.expect_restarts(plan);
}
#endif

// ---- Datatypes ---------------------------------------------------------------------------------------------

TEST_F(BadArguments, NullDatatypeOnOneRank) {
  if (world_rank() == last) comparison.send.type = MPI_DATATYPE_NULL;

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.code, RONDO_ERR_TYPE);
  EXPECT_EQ(refusal.message, "rank " + std::to_string(last) + ": the send datatype is MPI_DATATYPE_NULL");
}

TEST_F(BadArguments, FreedDatatype) {
#if defined(OPEN_MPI)
  GTEST_SKIP() << "a handle of Open MPI is a pointer: nobody can tell";
#endif
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1, MPI_INT, &type);
  MPI_Type_commit(&type);
  comparison.receive.type = type;
  MPI_Type_free(&type);

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.code, RONDO_ERR_TYPE);
  EXPECT_EQ(refusal.message, "rank 0: the receive datatype is no valid datatype (has it been freed?)");
}

TEST_F(BadArguments, UncommittedDatatype) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1, MPI_INT, &type);
  comparison.receive.type = type;

  const Refusal refusal = refused_init();

  EXPECT_EQ(refusal.code, RONDO_ERR_TYPE);
  EXPECT_EQ(refusal.message, "rank 0: the receive datatype is not committed");
  MPI_Type_free(&type);
}

// ---- Faults that an interface above has found -------------------------------------------------------------------

TEST_F(BadArguments, RefusedOnBehalfOfOneRank) {
  const RONDO_Error_values values{RONDO_ERR_BUFFER, -1, 3, 7, 8};
  RONDO_Request request = RONDO_REQUEST_NULL;

  const Refusal refusal = refused(world_rank() == last ? RONDO_Refuse_init(MPI_COMM_WORLD, MPI_INFO_NULL, &values,
                                                                           sizeof(values), "the span is too short")
                                                       : comparison.init(&request, {}));

  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
  EXPECT_EQ(refusal.message, "rank " + std::to_string(last) + ": the span is too short");
  EXPECT_EQ(refusal.values.rank, last);
  EXPECT_EQ(refusal.values.peer, 3);
  EXPECT_EQ(refusal.values.value, 7);
  EXPECT_EQ(refusal.values.other, 8);
}

TEST_F(BadArguments, RefusedForNoReason) {
  const RONDO_Error_values values{MPI_SUCCESS, -1, -1, -1, -1};

  EXPECT_EQ(RONDO_Refuse_init(MPI_COMM_WORLD, MPI_INFO_NULL, nullptr, sizeof(values), "why"), RONDO_ERR_ARG);
  EXPECT_EQ(RONDO_Refuse_init(MPI_COMM_WORLD, MPI_INFO_NULL, &values, sizeof(values), "why"), RONDO_ERR_ARG);
  EXPECT_EQ(RONDO_Refuse_init(MPI_COMM_WORLD, MPI_INFO_NULL, &values, sizeof(values), nullptr), RONDO_ERR_ARG);
}

}  // namespace
}  // namespace rondo
