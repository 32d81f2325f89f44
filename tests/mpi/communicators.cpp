// Communicators of every origin: the plan's ranks are those of the communicator that it was made on.

#include "tests/mpi/comparison.hpp"

namespace rondo {
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

int count(int source, int destination) {
  return 1 + (2 * source + destination) % 3;
}

// The k-th element of a block.
int element(int source, int destination, int k) {
  return 10000 * source + 100 * destination + k;
}

struct Blocks {
  std::vector<int> counts, displacements, elements;

  void add(int source, int destination, bool filled) {
    counts.push_back(count(source, destination));
    displacements.push_back(static_cast<int>(elements.size()));
    for (int k = 0; k < counts.back(); ++k) elements.push_back(filled ? element(source, destination, k) : -1);
  }
};

// Exchanges blocks whose elements tell where they come from and go to, in the communicator's own ranks.
void expect_exchange(MPI_Comm comm, const Way &way) {
  const int rank = rank_in(comm);
  Blocks out;
  Blocks in;
  Blocks expected;
  for (int peer = 0; peer < ranks_of(comm); ++peer) {
    out.add(rank, peer, true);
    in.add(peer, rank, false);
    expected.add(peer, rank, true);
  }
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init(out.elements.data(), out.counts.data(), out.displacements.data(), MPI_INT,
                                 in.elements.data(), in.counts.data(), in.displacements.data(), MPI_INT, comm,
                                 by(way).info(), &request),
            MPI_SUCCESS);

  Request(request).run();

  EXPECT_EQ(in.elements, expected.elements) << to_string(way) << ", rank " << rank;
}

// Frees the communicator, on ranks that have one.
void expect_exchanges(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return;
  for (const Way &way : {Way{"spread_out", "packed"}, Way{"tuna", "packed"}, Way{"tuna", "shared"}, Way{"native"}}) {
    expect_exchange(comm, way);
  }
  MPI_Comm_free(&comm);
}

TEST(Communicators, OfEveryOtherRank) {
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, world_rank(), &half);

  expect_exchanges(half);
}

TEST(Communicators, ThatLeaveRanksOut) {
  MPI_Comm without_rank_0 = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() == 0 ? MPI_UNDEFINED : 0, world_rank(), &without_rank_0);

  expect_exchanges(without_rank_0);
}

TEST(Communicators, InReversedRankOrder) {
  MPI_Comm reversed = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &reversed);
  ASSERT_EQ(rank_in(reversed), world_ranks() - 1 - world_rank());

  expect_exchanges(reversed);
}

// An attribute of Rondo's is not copied with the communicator.
TEST(Communicators, DuplicatedFromOneThatHasPlans) {
  MPI_Comm first = MPI_COMM_NULL;
  MPI_Comm second = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  expect_exchange(first, {"tuna"});
  MPI_Comm_dup(first, &second);
  MPI_Comm_free(&first);

  expect_exchanges(second);
}

TEST(Communicators, MergedFromAnIntercommunicator) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is one group only";
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm merged = MPI_COMM_NULL;
  const int side = world_rank() % 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, world_rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 0, &both);
  MPI_Intercomm_merge(both, side == 0 ? 1 : 0, &merged);  // the even ranks come last
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);

  expect_exchanges(merged);
}

TEST(Communicators, OfThisRankAlone) {
  for (const Way &way : {Way{"tuna"}, Way{"native"}}) expect_exchange(MPI_COMM_SELF, way);
}

}  // namespace
}  // namespace rondo
