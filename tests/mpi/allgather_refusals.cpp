// All-gathers that are refused.

#include "tests/mpi/gathering.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

TEST(AllgatherRefuses, SizesThatDiffer) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  std::vector<int> received(64);
  std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 2);
  std::vector<int> displacements;
  for (int rank = 0; rank < world_ranks(); ++rank) displacements.push_back(2 * rank);
  const std::vector<int> sent(4);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal =
      refused(RONDO_Allgatherv_init(sent.data(), world_rank() == 1 ? 3 : 2, MPI_INT, received.data(), counts.data(),
                                    displacements.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  EXPECT_EQ(refusal.code, RONDO_ERR_MISMATCH);
  EXPECT_EQ(refusal.message, "rank 0: rank 1 sends 12 bytes to rank 0, which receives 8 bytes");
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
}

TEST(AllgatherRefuses, InPlaceBetweenGroups) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  const Groups groups(1);
  Gathering gathering(groups, equal);
  gathering.send_in_place();
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal = refused(gathering.init(&request, {}));
  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
  EXPECT_EQ(refusal.message, "rank 0: MPI_IN_PLACE has no meaning on an intercommunicator");
}

TEST(AllgatherRefuses, OverlapWithOnesOwnDataInPlace) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  std::vector<int> data(64);
  const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 2);
  std::vector<int> displacements;
  for (int rank = 0; rank < world_ranks(); ++rank) displacements.push_back(rank == 1 ? 0 : 2 * rank);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal =
      refused(RONDO_Allgatherv_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.data(), counts.data(),
                                    displacements.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  EXPECT_EQ(refusal.code, RONDO_ERR_OVERLAP);
}

TEST(AllgatherRefuses, NegativeCountOfOneRank) {
  std::vector<int> received(64);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal =
      refused(RONDO_Allgather_init(received.data(), world_rank() == 0 ? -3 : 1, MPI_INT, received.data() + 8, 1,
                                   MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
  EXPECT_EQ(refusal.message, "rank 0: the send count is negative: -3");
}

TEST(AllgatherRefuses, AlgorithmsOfAnotherKind) {
  Gathering gathering{Groups(), equal};
  RONDO_Request request = RONDO_REQUEST_NULL;
  Refusal refusal = refused(gathering.init(&request, by(GatherWay{"segmented"})));
  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_NE(refusal.message.find("between the two groups"), std::string::npos) << refusal.message;
  refusal = refused(gathering.init(&request, by(GatherWay{"tuna"})));
  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_NE(refusal.message.find("there is no algorithm 'tuna' for all-gathers"), std::string::npos) << refusal.message;
}

}  // namespace
}  // namespace rondo
