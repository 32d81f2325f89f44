// Where threads may call MPI at once, a communicator leaves what it has to a later one with the same ranks.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <optional>
#include <thread>
#include <vector>

#include "rondo/rondo.hpp"
#include "tests/mpi/session.hpp"
#include "wire/channel.hpp"
#include "wire/duplicate_pool.hpp"
#include "wire/owned_comm.hpp"

namespace rondo {
namespace {

using internal::Channel;
using internal::Duplicate;
using internal::OwnedComm;

OwnedComm duplicate_of(MPI_Comm parent) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_dup(parent, &made);
  return OwnedComm(made);
}

OwnedComm reversed_world() {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &made);
  return OwnedComm(made);
}

Channel open(const OwnedComm &comm) {
  return internal::open_channel(comm.get(), nullptr);
}

class DuplicatePool : public testing::Test {
 protected:
  DuplicatePool() { internal::DuplicatePool::of_process().open(); }

  // That of a communicator which is freed at once.
  static const Duplicate *brief() {
    const OwnedComm comm = duplicate_of(MPI_COMM_WORLD);
    return open(comm).duplicate.get();
  }
};

TEST_F(DuplicatePool, LendsWhatAFreedCommunicatorHasLeft) {
  const Duplicate *const first = brief();

  EXPECT_EQ(brief(), first);
}

TEST_F(DuplicatePool, LendsToOneAtATime) {
  const OwnedComm one = duplicate_of(MPI_COMM_WORLD);
  const OwnedComm other = duplicate_of(MPI_COMM_WORLD);

  EXPECT_NE(open(one).duplicate, open(other).duplicate);
}

TEST_F(DuplicatePool, LendsToTheSameRanksInTheSameOrder) {
  const Duplicate *const first = brief();
  const OwnedComm comm = reversed_world();
  const Channel channel = open(comm);

  EXPECT_EQ(channel.duplicate.get() == first, world_ranks() == 1);
  EXPECT_EQ(channel.rank(), world_ranks() - 1 - world_rank());
}

// One rank's plan outlives the communicator: what it has is nobody's on any rank until it is freed.
TEST_F(DuplicatePool, LendsNothingThatSomeRankStillHas) {
  OwnedComm comm = duplicate_of(MPI_COMM_WORLD);
  std::optional<Channel> of_plan = open(comm);
  const Duplicate *const first = of_plan->duplicate.get();
  if (world_rank() > 0) of_plan.reset();
  comm.free();

  EXPECT_NE(brief(), first);

  of_plan.reset();
  EXPECT_EQ(brief(), first);
}

// More than there is room for.
TEST_F(DuplicatePool, ServesAnyNumberOfCommunicators) {
  for (int repetition = 0; repetition < 2; ++repetition) {
    std::vector<OwnedComm> comms;
    for (int i = 0; i < 40; ++i) {
      comms.push_back(duplicate_of(MPI_COMM_WORLD));
      EXPECT_EQ(open(comms.back()).ranks(), world_ranks());
    }
  }
}

// Sends two ints to each rank and looks at what comes.
void exchange(MPI_Comm comm, int number) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto ranks = static_cast<std::size_t>(world_ranks());
  std::vector<int> sent(2 * ranks);
  std::vector<int> received(2 * ranks, -1);
  for (std::size_t to = 0; to < ranks; ++to) {
    sent[2 * to] = 100 * rank + static_cast<int>(to);
    sent[2 * to + 1] = number;
  }
  Request plan = alltoall_init(std::span<const int>(sent), std::span<int>(received), comm);
  for (int start = 0; start < 2; ++start) {
    plan.start();
    plan.wait();
  }
  for (std::size_t from = 0; from < ranks; ++from) {
    EXPECT_EQ(received[2 * from], 100 * static_cast<int>(from) + rank);
    EXPECT_EQ(received[2 * from + 1], number);
  }
}

TEST_F(DuplicatePool, ServesThreadsThatMakeAndFreeCommunicators) {
  constexpr int rounds = 10;
  std::vector<OwnedComm> parents;
  for (int i = 0; i < 3; ++i) parents.push_back(duplicate_of(MPI_COMM_WORLD));

  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([i, parent = parents[static_cast<std::size_t>(i)].get()] {
      for (int round = 0; round < rounds; ++round) {
        const OwnedComm comm = duplicate_of(parent);
        exchange(comm.get(), 100 * i + round);
      }
    });
  }
}

}  // namespace
}  // namespace rondo

int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_MULTIPLE);
}
