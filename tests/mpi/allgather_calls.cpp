// What the calls of all-gathers take, rebind and report.

#include "tests/mpi/gathering.hpp"

namespace rondo {
namespace {

TEST(Allgather, OfOneSizeTakesOneCount) {
  std::vector<int> received(static_cast<std::size_t>(world_ranks()) * 2, -1);
  const std::vector<int> sent{world_rank(), 10 * world_rank()};
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Allgather_init(sent.data(), 2, MPI_INT, received.data(), 2, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request),
            MPI_SUCCESS);
  Request plan(request);
  plan.run();
  for (int rank = 0; rank < world_ranks(); ++rank) {
    EXPECT_EQ(received[static_cast<std::size_t>(2 * rank)], rank);
    EXPECT_EQ(received[static_cast<std::size_t>(2 * rank + 1)], 10 * rank);
  }
}

TEST(Allgather, OfOneRankGoesWhereItsDisplacementSays) {
  const int sent = 7;
  std::vector<int> received(4, -1);
  const int count = 1;
  const int displacement = 2;
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Allgatherv_init(&sent, 1, MPI_INT, received.data(), &count, &displacement, MPI_INT, MPI_COMM_SELF,
                                  MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  Request plan(request);
  plan.run();
  EXPECT_EQ(received, (std::vector{-1, -1, 7, -1}));
}

TEST(Allgather, IntoThePlansOwnBuffers) {
  const int count = 100;
  for (const bool in_place : {false, true}) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    ASSERT_EQ(RONDO_Allgather_init(in_place ? MPI_IN_PLACE : RONDO_PLAN_BUFFER, count, MPI_INT, RONDO_PLAN_BUFFER,
                                   count, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              MPI_SUCCESS);
    Request plan(request);
    void *send = nullptr;
    void *receive = nullptr;
    ASSERT_EQ(RONDO_Request_buffers(request, &send, &receive), MPI_SUCCESS);
    const auto *received = static_cast<const int *>(receive);
    for (int round = 0; round < 3; ++round) {
      int *own = in_place ? static_cast<int *>(receive) + world_rank() * count : static_cast<int *>(send);
      std::fill_n(own, count, 100 * round + world_rank());
      plan.run();
      for (int rank = 0; rank < world_ranks(); ++rank) {
        EXPECT_EQ(received[rank * count + count - 1], 100 * round + rank) << "in place " << in_place;
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

TEST(Allgather, RebindsToOtherBuffers) {
  const Groups groups;
  Gathering first(groups, arithmetic);
  Gathering second(groups, arithmetic);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(first.init(&request, {}), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Rebind(&request, second.send_base(), second.receive_buffer.base()), MPI_SUCCESS);
  Request plan(request);
  second.expect_restarts(plan);
}

TEST(Allgather, RebindsInPlace) {
  const Groups groups;
  Gathering first(groups, one_has_all);
  Gathering second(groups, one_has_all);
  first.send_in_place();
  second.send_in_place();
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(first.init(&request, {}), MPI_SUCCESS);
  if (world_ranks() > 1) {
    EXPECT_EQ(RONDO_Rebind(&request, MPI_IN_PLACE, nullptr), RONDO_ERR_BUFFER);
  }
  ASSERT_EQ(RONDO_Rebind(&request, second.send_base(), second.receive_buffer.base()), MPI_SUCCESS);
  Request plan(request);
  second.expect_restarts(plan);
}

TEST(Allgather, OutlivesItsIntercommunicator) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  Groups groups(1);
  std::vector<int> received(8, -1);
  const int sent = world_rank();
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(
      RONDO_Allgather_init(&sent, 1, MPI_INT, received.data(), 1, MPI_INT, groups.comm(), MPI_INFO_NULL, &request),
      MPI_SUCCESS);
  const std::vector<int> sources = groups.sources();
  groups.free();
  Request plan(request);
  plan.run();
  for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(received[i], sources[i]);
}

TEST(Allgather, ReportSaysHowMuchThisRankSends) {
  if (world_ranks() != 3) GTEST_SKIP() << "of three ranks";
  Gathering gathering{Groups(), equal};
  RONDO_Request request = RONDO_REQUEST_NULL;
  Hints hints = by(GatherWay{"dissemination", 1});
  ASSERT_EQ(gathering.init(&request, hints), MPI_SUCCESS);
  RONDO_Report report;
  RONDO_Request_report(request, &report, sizeof(report));
  EXPECT_STREQ(report.algorithm, "dissemination");
  EXPECT_EQ(report.radix, 1);
  EXPECT_EQ(report.steps, 2);
  EXPECT_EQ(report.messages, 2);
  EXPECT_EQ(report.bytes, 2 * 12 * 4);
  RONDO_Request_free(&request);
}

}  // namespace
}  // namespace rondo
