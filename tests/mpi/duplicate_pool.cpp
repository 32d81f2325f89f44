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

namespace rondo {
namespace {

using internal::Channel;
using internal::Duplicate;

class Comm {
 public:
  static Comm duplicate_of(MPI_Comm parent) {
    Comm made;
    MPI_Comm_dup(parent, &made.comm_);
    return made;
  }
  static Comm reversed() {
    Comm made;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &made.comm_);
    return made;
  }
  Comm(Comm &&other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  Comm &operator=(Comm &&) = delete;
  ~Comm() { free(); }

  void free() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm get() const { return comm_; }
  [[nodiscard]] Channel open() const { return internal::open_channel(comm_, nullptr); }

 private:
  Comm() = default;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

class DuplicatePool : public testing::Test {
 protected:
  DuplicatePool() { internal::DuplicatePool::of_process().open(); }

  // That of a communicator which is freed at once.
  static const Duplicate *brief() {
    const Comm comm = Comm::duplicate_of(MPI_COMM_WORLD);
    return comm.open().duplicate.get();
  }
};

TEST_F(DuplicatePool, LendsWhatAFreedCommunicatorHasLeft) {
  const Duplicate *const first = brief();

  EXPECT_EQ(brief(), first);
}

TEST_F(DuplicatePool, LendsToOneAtATime) {
  const Comm one = Comm::duplicate_of(MPI_COMM_WORLD);
  const Comm other = Comm::duplicate_of(MPI_COMM_WORLD);

  EXPECT_NE(one.open().duplicate, other.open().duplicate);
}

TEST_F(DuplicatePool, LendsToTheSameRanksInTheSameOrder) {
  const Duplicate *const first = brief();
  const Comm comm = Comm::reversed();
  const Channel channel = comm.open();

  EXPECT_EQ(channel.duplicate.get() == first, world_ranks() == 1);
  EXPECT_EQ(channel.rank(), world_ranks() - 1 - world_rank());
}

// One rank's plan outlives the communicator: what it has is nobody's on any rank until it is freed.
TEST_F(DuplicatePool, LendsNothingThatSomeRankStillHas) {
  Comm comm = Comm::duplicate_of(MPI_COMM_WORLD);
  std::optional<Channel> of_plan = comm.open();
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
    std::vector<Comm> comms;
    for (int i = 0; i < 40; ++i) {
      comms.push_back(Comm::duplicate_of(MPI_COMM_WORLD));
      EXPECT_EQ(comms.back().open().ranks(), world_ranks());
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
  std::vector<Comm> parents;
  for (int i = 0; i < 3; ++i) parents.push_back(Comm::duplicate_of(MPI_COMM_WORLD));

  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([i, parent = parents[static_cast<std::size_t>(i)].get()] {
      for (int round = 0; round < rounds; ++round) {
        const Comm comm = Comm::duplicate_of(parent);
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
