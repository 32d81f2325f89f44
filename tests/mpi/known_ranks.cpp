// Communicators with the same ranks in the same order share what these know of each other. Each has its own plans, and
// what goes on on one does not meet the other.

#include <gtest/gtest.h>
#include <mpi.h>
#include <rondo/rondo.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/mpi/session.hpp"
#include "tests/mpi/shared_bytes.hpp"

namespace rondo {
namespace {

class OwnedComm {
 public:
  // The ranks of MPI_COMM_WORLD in this order.
  explicit OwnedComm(const std::vector<int> &order) {
    MPI_Group world = MPI_GROUP_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, static_cast<int>(order.size()), order.data(), &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm_);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_rank(comm_, &rank_);
  }
  ~OwnedComm() { free(); }
  OwnedComm(const OwnedComm &) = delete;
  OwnedComm &operator=(const OwnedComm &) = delete;

  void free() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm get() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
};

std::vector<int> all_ranks() {
  std::vector<int> order(static_cast<std::size_t>(world_ranks()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// A plan by which each rank sends two ints to every other: where from and to, and a number of the plan's own.
class Plan {
 public:
  Plan(const OwnedComm &comm, int number, const char *wire = "auto") : rank_(comm.rank()), number_(number) {
    sent_.resize(2 * all_ranks().size());
    received_.assign(sent_.size(), -1);
    Hints hints;
    hints.set("rondo_wire", wire);
    request_ = alltoall_init(std::span<const int>(sent_), std::span<int>(received_), comm.get(), hints);
  }

  void start(int round) {
    for (std::size_t to = 0; to < sent_.size() / 2; ++to) {
      sent_[2 * to] = rank_ * 100 + static_cast<int>(to);
      sent_[2 * to + 1] = number_ * 1000 + round;
    }
    std::fill(received_.begin(), received_.end(), -1);
    request_.start();
  }
  void wait(int round) {
    request_.wait();
    for (std::size_t from = 0; from < received_.size() / 2; ++from) {
      EXPECT_EQ(received_[2 * from], static_cast<int>(from) * 100 + rank_) << "plan " << number_;
      EXPECT_EQ(received_[2 * from + 1], number_ * 1000 + round) << "plan " << number_;
    }
  }
  void run(int round = 0) {
    start(round);
    wait(round);
  }

 private:
  int rank_;
  int number_;
  std::vector<int> sent_;
  std::vector<int> received_;
  Request request_;
};

TEST(KnownRanks, ExchangeOnEachOfTheirCommunicators) {
  for (int number = 0; number < 30; ++number) {
    const OwnedComm comm(all_ranks());

    Plan(comm, number, number % 3 == 0 ? "packed" : "auto").run();
  }
}

// With four ranks there are more orders than are kept.
TEST(KnownRanks, AreOthersInAnotherOrder) {
  for (int repetition = 0; repetition < 2; ++repetition) {
    std::vector<int> order = all_ranks();
    int number = 0;
    do {
      const OwnedComm comm(order);
      Plan(comm, number++).run();
    } while (std::next_permutation(order.begin(), order.end()) && number < 24);
  }
}

TEST(KnownRanks, AreOthersWhereSomeAreNotThere) {
  const OwnedComm all(all_ranks());
  Plan(all, 1).run();
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(all.get(), world_rank() % 2, -world_rank(), &half);
  int ranks = 0;
  int rank = 0;
  MPI_Comm_size(half, &ranks);
  MPI_Comm_rank(half, &rank);
  for (int repetition = 0; repetition < 3; ++repetition) {
    const std::vector<int> sent(static_cast<std::size_t>(ranks), world_rank());
    std::vector<int> received(sent.size(), -1);

    alltoall_init(std::span<const int>(sent), std::span<int>(received), half).run();

    for (int peer = 0; peer < ranks; ++peer) {
      EXPECT_EQ(received[static_cast<std::size_t>(peer)], world_rank() + 2 * (rank - peer));
    }
    Plan(all, repetition).run();
  }
  MPI_Comm_free(&half);
}

// Started in another order on each rank, and waited for in yet another.
TEST(KnownRanks, HavePlansOfSeveralCommunicatorsUnderWayAtOnce) {
  const OwnedComm first(all_ranks());
  const OwnedComm second(all_ranks());
  std::vector<std::unique_ptr<Plan>> plans;
  for (int number = 0; number < 6; ++number) {
    plans.push_back(std::make_unique<Plan>(number % 2 == 0 ? first : second, number, number < 3 ? "packed" : "auto"));
  }
  for (int round = 0; round < 20; ++round) {
    std::vector<std::size_t> order(plans.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::rotate(order.begin(), order.begin() + (round + world_rank()) % 6, order.end());
    for (const std::size_t i : order) plans[i]->start(round);
    std::reverse(order.begin(), order.end());
    for (const std::size_t i : order) plans[i]->wait(round);
  }
}

TEST(KnownRanks, HavePlansThatOutliveTheirCommunicator) {
  OwnedComm first(all_ranks());
  Plan plan(first, 1);
  Plan by_messages(first, 2, "packed");
  first.free();
  const OwnedComm second(all_ranks());
  Plan other(second, 3, "packed");

  for (int round = 0; round < 3; ++round) {
    plan.start(round);
    other.start(round);
    by_messages.start(round);
    by_messages.wait(round);
    other.wait(round);
    plan.wait(round);
  }
}

// A call between neighbours goes by the topology of its communicator: here two rings, the second the other way round.
TEST(KnownRanks, HaveANativeCallForEachTopology) {
  const int ranks = world_ranks();
  for (const int direction : {1, -1}) {
    const int to = (world_rank() + direction + ranks) % ranks;
    const int from = (world_rank() - direction + ranks) % ranks;
    MPI_Comm ring = MPI_COMM_NULL;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &ring);
    for (const char *native : {"persistent", "nonblocking"}) {
      Hints hints;
      hints.set("rondo_algorithm", "native");
      hints.set("rondo_native", native);
      const int sent = world_rank();
      int received = -1;
      const int count = 1;
      const int displacement = 0;
      RONDO_Request request = RONDO_REQUEST_NULL;
      const int code = RONDO_Neighbor_alltoallv_init(&sent, &count, &displacement, MPI_INT, &received, &count,
                                                     &displacement, MPI_INT, ring, hints.info(), &request);
      if (code == RONDO_ERR_ALGORITHM) continue;  // an MPI library that has no persistent collectives
      ASSERT_EQ(code, MPI_SUCCESS);
      Request(request).run();
      EXPECT_EQ(received, from) << native << ", direction " << direction;
    }
    MPI_Comm_free(&ring);
  }
}

int live_attributes = 0;
int copy_attribute(MPI_Comm, int, void *, void *in, void *out, int *copied) {
  ++live_attributes;
  *static_cast<void **>(out) = in;
  *copied = 1;
  return MPI_SUCCESS;
}
int delete_attribute(MPI_Comm, int, void *, void *) {
  --live_attributes;
  return MPI_SUCCESS;
}

// What the program keeps with a communicator is nobody's once it has freed that.
TEST(KnownRanks, KeepNoAttributeOfTheProgram) {
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(copy_attribute, delete_attribute, &key, nullptr);
  std::vector<int> order = all_ranks();
  std::rotate(order.begin(), order.begin() + world_ranks() / 2, order.end());  // which no other test has
  OwnedComm comm(order);
  MPI_Comm_set_attr(comm.get(), key, &key);
  ++live_attributes;
  Plan(comm, 1, "packed").run();

  comm.free();

  EXPECT_EQ(live_attributes, 0);
  MPI_Comm_free_keyval(&key);
}

TEST(KnownRanks, GiveMemoryBackWithTheLastCommunicator) {
  if (world_ranks() == 1) GTEST_SKIP() << "nothing is shared";
  constexpr int ints = 12 << 20;
  constexpr long most = 48 << 20;
  for (int repetition = 0; repetition < 3; ++repetition) {
    OwnedComm comm(all_ranks());
    {
      std::vector<int> counts(all_ranks().size());
      std::vector<int> displacements(counts.size());
      counts[static_cast<std::size_t>((world_rank() + 1) % world_ranks())] = ints;
      std::vector<int> received(counts.size());
      received[static_cast<std::size_t>((world_rank() + world_ranks() - 1) % world_ranks())] = ints;
      RONDO_Request request = RONDO_REQUEST_NULL;
      ASSERT_EQ(
          RONDO_Alltoallv_init(RONDO_PLAN_BUFFER, counts.data(), displacements.data(), MPI_INT, RONDO_PLAN_BUFFER,
                               received.data(), displacements.data(), MPI_INT, comm.get(), MPI_INFO_NULL, &request),
          MPI_SUCCESS);
      Request(request).run();
      EXPECT_GT(shared_bytes(), most);
    }
    comm.free();

    EXPECT_LT(shared_bytes(), most);
    const OwnedComm next(all_ranks());
    Plan(next, repetition).run();
  }
}

// One communicator to whose init a rank comes too late has no more inits; another one has.
TEST(KnownRanks, StallOnOneCommunicatorAlone) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is nobody to wait for";
  std::vector<int> order = all_ranks();
  std::reverse(order.begin(), order.end());
  const OwnedComm first(order);
  const OwnedComm second(order);
  Plan(first, 1).run();
  Plan(second, 2).run();
  const std::vector<int> sent(all_ranks().size());
  std::vector<int> received(sent.size());
  Hints hints;
  hints.set("rondo_stall_timeout", "0.2");
  const auto init = [&](const OwnedComm &comm, MPI_Info info) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    const int code =
        RONDO_Alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm.get(), info, &request);
    if (code == MPI_SUCCESS) RONDO_Request_free(&request);
    return code;
  };
  const bool late = world_rank() == world_ranks() - 1;
  if (late) std::this_thread::sleep_for(std::chrono::milliseconds(600));

  EXPECT_EQ(init(first, hints.info()), RONDO_ERR_STALLED);
  EXPECT_EQ(init(first, hints.info()), RONDO_ERR_STALLED);
  EXPECT_EQ(init(second, MPI_INFO_NULL), MPI_SUCCESS);
  Plan(second, 3).run();
  EXPECT_EQ(init(first, hints.info()), RONDO_ERR_STALLED);
}

// An init that fails on all ranks leaves the next communicator as good as it was.
TEST(KnownRanks, GoOnAfterAnInitHasFailed) {
  const OwnedComm first(all_ranks());
  Plan(first, 1).run();
  for (int repetition = 0; repetition < 3; ++repetition) {
    const OwnedComm next(all_ranks());
    const std::vector<int> sent(all_ranks().size());
    std::vector<int> received(sent.size());
    Hints hints;
    hints.set("rondo_algorithm", world_rank() == repetition % world_ranks() ? "no_such" : "tuna");

    EXPECT_THROW((void)alltoall_init(std::span<const int>(sent), std::span<int>(received), next.get(), hints), Error);

    Plan(next, 7).run(repetition);
  }
}

int told_first = 0;
int told_second = 0;
void tell_first(MPI_Comm *, int *, ...) {
  ++told_first;
}
void tell_second(MPI_Comm *, int *, ...) {
  ++told_second;
}

// The handler is that of the communicator whose init it is.
TEST(KnownRanks, TellTheErrorHandlerOfTheirCommunicator) {
  const OwnedComm first(all_ranks());
  const OwnedComm second(all_ranks());
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_create_errhandler(tell_first, &handler);
  MPI_Comm_set_errhandler(first.get(), handler);
  MPI_Errhandler_free(&handler);
  MPI_Comm_create_errhandler(tell_second, &handler);
  MPI_Comm_set_errhandler(second.get(), handler);
  MPI_Errhandler_free(&handler);
  Plan(first, 1).run();
  Hints hints;
  hints.set("rondo_errors", "handler");
  hints.set("rondo_algorithm", "no_such");
  const std::vector<int> sent(all_ranks().size());
  std::vector<int> received(sent.size());
  RONDO_Request request = RONDO_REQUEST_NULL;

  EXPECT_NE(
      RONDO_Alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, second.get(), hints.info(), &request),
      MPI_SUCCESS);

  EXPECT_EQ(told_first, 0);
  EXPECT_EQ(told_second, 1);
}

}  // namespace
}  // namespace rondo
