// What an init asks of the MPI library: how many collective calls, counted where they meet MPI. And plans like earlier
// ones: which init takes choice and schedule from an earlier one.

#include <gtest/gtest.h>
#include <mpi.h>
#include <rondo/rondo.h>

#include <cstdlib>
#include <numeric>
#include <vector>

#include "tests/mpi/session.hpp"

namespace {

struct Counted {
  MPI_Comm users = MPI_COMM_NULL;  // the calls on it are counted apart
  int on_users = 0;
  int in_all = 0;
  int messages = 0;
  int communicators = 0;  // made

  void add(MPI_Comm comm) {
    ++in_all;
    if (comm == users) ++on_users;
  }
};

Counted &counted() {
  static Counted calls;
  return calls;
}

}  // namespace

#define COUNTED(function, parameters, arguments) \
  int function parameters {                      \
    counted().add(comm);                         \
    return P##function arguments;                \
  }

#pragma GCC visibility push(default)
extern "C" {
COUNTED(MPI_Allreduce, (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (from, to, count, type, op, comm))
COUNTED(MPI_Iallreduce,
        (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request),
        (from, to, count, type, op, comm, request))
COUNTED(MPI_Barrier, (MPI_Comm comm), (comm))
COUNTED(MPI_Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request))
COUNTED(MPI_Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm))
COUNTED(MPI_Allgather,
        (const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype types, MPI_Comm comm),
        (from, count, type, to, counts, types, comm))
COUNTED(MPI_Alltoall,
        (const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype types, MPI_Comm comm),
        (from, count, type, to, counts, types, comm))
COUNTED(MPI_Iallgather,
        (const void *from, int count, MPI_Datatype type, void *to, int counts, MPI_Datatype types, MPI_Comm comm,
         MPI_Request *request),
        (from, count, type, to, counts, types, comm, request))
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
  ++counted().messages;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
  counted().add(comm);
  ++counted().communicators;
  return PMPI_Comm_dup(comm, made);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made) {
  counted().add(comm);
  ++counted().communicators;
  return PMPI_Comm_split(comm, color, key, made);
}
COUNTED(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
        (comm, type, key, info, made))
}
#pragma GCC visibility pop

namespace rondo {
namespace {

// A communicator of a test's own, on which nothing has been planned yet: its ranks are known from others, or they are
// not.
class Communicator {
 public:
  enum class Ranks : bool { unknown, known };

  explicit Communicator(Ranks ranks = Ranks::unknown) {
    setenv("RONDO_KNOWN_RANKS", ranks == Ranks::known ? "1" : "0", 1);
    PMPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  }
  ~Communicator() { MPI_Comm_free(&comm_); }
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  [[nodiscard]] MPI_Comm get() const { return comm_; }
  [[nodiscard]] bool has_several_nodes() const {
    MPI_Comm node = MPI_COMM_NULL;
    int ranks = 0;
    PMPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Comm_size(node, &ranks);
    PMPI_Comm_free(&node);
    int most_alone = ranks < world_ranks() ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &most_alone, 1, MPI_INT, MPI_MAX, comm_);
    return most_alone != 0;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// What an init has called, and whether it took what an earlier one had worked out. The exchange is done once, and what
// has arrived is looked at.
struct Planned {
  int collectives = 0;
  int on_users = 0;
  int communicators = 0;
  bool reused = false;
};

// Every rank sends so many ints to every other, and `own` more to itself.
Planned planned(MPI_Comm comm, int ints, int own = 0, const char *algorithm = "spread_out", const char *wire = "auto") {
  const int ranks = world_ranks();
  std::vector<int> counts(static_cast<std::size_t>(ranks), ints);
  counts[static_cast<std::size_t>(world_rank())] += own;
  std::vector<int> displacements(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
  std::vector<int> sent(static_cast<std::size_t>(displacements.back() + counts.back()), world_rank());
  std::vector<int> received(sent.size(), -1);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "rondo_algorithm", algorithm);
  MPI_Info_set(info, "rondo_wire", wire);
  RONDO_Request request = RONDO_REQUEST_NULL;
  counted() = {.users = comm};
  EXPECT_EQ(RONDO_Alltoallv_init(sent.data(), counts.data(), displacements.data(), MPI_INT, received.data(),
                                 counts.data(), displacements.data(), MPI_INT, comm, info, &request),
            MPI_SUCCESS);
  Planned result{
      .collectives = counted().in_all, .on_users = counted().on_users, .communicators = counted().communicators};
  MPI_Info_free(&info);
  EXPECT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  for (int peer = 0; peer < ranks; ++peer) {
    if (counts[static_cast<std::size_t>(peer)] == 0) continue;
    EXPECT_EQ(received[static_cast<std::size_t>(displacements[static_cast<std::size_t>(peer)])], peer);
  }
  RONDO_Report report;
  EXPECT_EQ(RONDO_Request_report(request, &report, sizeof(report)), MPI_SUCCESS);
  result.reused = report.reused != 0;
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  return result;
}

TEST(FirstInit, MakesTwoCollectiveCallsOnTheUsersCommunicator) {
  const Communicator comm;

  const Planned first = planned(comm.get(), 3);

  EXPECT_LE(first.on_users, comm.has_several_nodes() ? 3 : 2);
  EXPECT_TRUE(first.collectives > 0 || world_ranks() == 1) << "the calls are not counted";
}

TEST(FirstInitInANode, MakesNoCommunicatorUntilAPlanSendsMessages) {
  const Communicator comm;
  if (comm.has_several_nodes()) GTEST_SKIP() << "there are several nodes";
  if (world_ranks() == 1) GTEST_SKIP() << "there is no other rank";

  EXPECT_EQ(planned(comm.get(), 3).communicators, 0);
  EXPECT_EQ(planned(comm.get(), 3, 0, "spread_out", "packed").communicators, 1);
  EXPECT_EQ(planned(comm.get(), 4, 0, "spread_out", "packed").communicators, 0);
  EXPECT_EQ(planned(comm.get(), 5, 0, "native").communicators, 0);
}

TEST(FirstInitOfKnownRanks, MakesNoCollectiveCallInANodeAndThreeBetweenNodes) {
  const Communicator first(Communicator::Ranks::known);
  planned(first.get(), 3, 0, "spread_out", "packed");
  const Communicator second(Communicator::Ranks::known);
  const int most = second.has_several_nodes() ? 3 : 0;

  const Planned later = planned(second.get(), 4, 0, "spread_out", "packed");

  EXPECT_LE(later.collectives, most);
  EXPECT_EQ(later.on_users, 0);
  EXPECT_EQ(later.communicators, 0);
  EXPECT_TRUE(planned(second.get(), 3, 0, "spread_out", "packed").reused) << "of the first communicator's plan";
}

TEST(LaterInit, MakesNoCollectiveCallInANodeAndTwoBetweenNodes) {
  const Communicator comm;
  const int most = comm.has_several_nodes() ? 2 : 0;
  planned(comm.get(), 3);

  for (const int ints : {3, 5, 0, 700}) {
    const Planned later = planned(comm.get(), ints);
    EXPECT_LE(later.collectives, most) << "with " << ints << " ints";
    EXPECT_EQ(later.on_users, 0) << "with " << ints << " ints";
  }
}

// The messages of an init whose counts come later: nothing else is sent by it.
int messages_of_varying_init(MPI_Comm comm, const char *node_size) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "rondo_node_size", node_size);
  counted() = {};
  RONDO_Request request = RONDO_REQUEST_NULL;
  EXPECT_EQ(RONDO_Alltoallv_varying_init(MPI_INT, MPI_INT, comm, info, &request), MPI_SUCCESS);
  const int messages = counted().messages;
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  MPI_Info_free(&info);
  return messages;
}

TEST(InitBetweenNodes, MeasuresMessagesOnceForACommunicator) {
  if (world_ranks() == 1) GTEST_SKIP() << "there are no two nodes";
  const Communicator comm;

  EXPECT_GT(messages_of_varying_init(comm.get(), "1"), 0);
  EXPECT_EQ(messages_of_varying_init(comm.get(), "1"), 0);
}

TEST(InitInsideANode, MeasuresNoMessages) {
  const Communicator comm;
  if (comm.has_several_nodes()) GTEST_SKIP() << "there are several nodes";

  EXPECT_EQ(messages_of_varying_init(comm.get(), "64"), 0);
}

TEST(InitOfAnEarlierExchange, TakesItsChoiceAndSchedule) {
  const Communicator comm;

  EXPECT_FALSE(planned(comm.get(), 3).reused);
  EXPECT_TRUE(planned(comm.get(), 3).reused);
  EXPECT_FALSE(planned(comm.get(), 4).reused);
  EXPECT_TRUE(planned(comm.get(), 3).reused);
  EXPECT_TRUE(planned(comm.get(), 4).reused);
}

TEST(InitOfAnEarlierExchange, TakesTheSizesThatWereLearned) {
  const Communicator comm;

  EXPECT_FALSE(planned(comm.get(), 3, 0, "tuna").reused);
  const Planned again = planned(comm.get(), 3, 0, "tuna");

  EXPECT_TRUE(again.reused);
  EXPECT_FALSE(planned(comm.get(), 3).reused) << "of another algorithm";
}

TEST(InitOfAnEarlierExchange, IsPlannedAnewWhereOneRankHasOtherCounts) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is no other rank";
  const Communicator comm;
  planned(comm.get(), 3);

  const Planned other = planned(comm.get(), 3, world_rank() == 1 ? 2 : 0);

  EXPECT_FALSE(other.reused);
}

TEST(InitOfAnEarlierExchange, IsForgottenAfterFourOthers) {
  const Communicator comm;
  planned(comm.get(), 1);
  for (const int ints : {2, 3, 4}) planned(comm.get(), ints);
  EXPECT_TRUE(planned(comm.get(), 1).reused);

  planned(comm.get(), 5);

  EXPECT_FALSE(planned(comm.get(), 1).reused);
}

}  // namespace
}  // namespace rondo
