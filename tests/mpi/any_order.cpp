// Whatever a peer needs from this rank for a plan is done in any wait or test of this rank, whatever that waits for. In
// each program here a rank waits for one plan while its peer waits for another; all of them end.

#include <array>
#include <chrono>
#include <span>
#include <thread>

#include "tests/mpi/comparison.hpp"

int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_MULTIPLE);
}

namespace rondo {
namespace {

// Long enough for messages to be taken out of the sender's memory.
int two_mebibytes(int source, int destination) {
  return source == destination ? 1 : 1 << 19;
}
int none_backwards(int source, int destination) {
  return source < destination ? 2 : 0;
}

struct Planned {
  explicit Planned(CountRule rule, const Hints &hints = {}) : comparison(Comparison::of(rule)) {
    plan = comparison.plan(hints);
  }
  Comparison comparison;
  Request plan;
};

// Two plans whose messages are pulled, and data in them.
class Pulled : public testing::Test {
 protected:
  void SetUp() override {
    first.comparison.prepare(0);
    second.comparison.prepare(1);
  }
  void TearDown() override {
    first.comparison.expect_equal("of the first");
    second.comparison.expect_equal("of the second");
  }

  // On rank 0 the first comes first, on others the second.
  Request &one() { return world_rank() == 0 ? first.plan : second.plan; }
  Request &other() { return world_rank() == 0 ? second.plan : first.plan; }

  Planned first{two_mebibytes};
  Planned second{two_mebibytes};
};

TEST_F(Pulled, WaitedForInAnotherOrder) {
  first.plan.start();
  second.plan.start();
  one().wait();
  other().wait();
}

TEST_F(Pulled, WaitallInAnotherOrder) {
  RONDO_Request both[] = {one().native(), other().native()};
  RONDO_Startall(2, both);
  EXPECT_EQ(RONDO_Waitall(2, both, MPI_STATUSES_IGNORE), MPI_SUCCESS);
}

TEST_F(Pulled, OneIsTestedWhileAnotherIsWaitedFor) {
  first.plan.start();
  second.plan.start();
  while (!one().test()) {
  }
  other().wait();
}

// One that is complete stays among those that are tested until all are.
TEST_F(Pulled, TestedWithOneThatIsCompleteWhileThePeerWaitsForAnother) {
  Planned nothing{none};
  int all = 0;

  if (world_rank() == 0) {
    std::array<RONDO_Request, 2> tested{nothing.plan.native(), first.plan.native()};
    second.plan.start();
    ASSERT_EQ(RONDO_Startall(2, tested.data()), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Testall(2, tested.data(), &all, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
    while (all == 0) ASSERT_EQ(RONDO_Testall(2, tested.data(), &all, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    second.plan.wait();
  } else {
    MPI_Barrier(MPI_COMM_WORLD);
    second.plan.run();
    first.plan.run();
    nothing.plan.run();
  }
}

TEST_F(Pulled, APlanIsMadeMeanwhile) {
  first.plan.start();
  second.plan.start();
  if (world_rank() == 0) first.plan.wait();
  Planned third{varied, by("tuna")};
  if (world_rank() != 0) first.plan.wait();
  second.plan.wait();

  third.comparison.expect_restarts(third.plan);
}

TEST_F(Pulled, APlanIsMadeOnANewCommunicatorMeanwhile) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);

  first.plan.start();
  second.plan.start();
  if (world_rank() == 0) first.plan.wait();
  Comparison third(sends(varied), receives(varied), comm);
  Request plan = third.plan();
  if (world_rank() != 0) first.plan.wait();
  second.plan.wait();

  third.expect_restarts(plan);
  MPI_Comm_free(&comm);
}

TEST_F(Pulled, ANativePlanIsReboundMeanwhile) {
  Planned third{varied, {{"rondo_algorithm", "native"}}};

  first.plan.start();
  second.plan.start();
  if (world_rank() == 0) first.plan.wait();
  RONDO_Request rebound = third.plan.native();
  EXPECT_EQ(RONDO_Rebind(&rebound, third.comparison.send_base(), third.comparison.receive_buffer.base()), MPI_SUCCESS);
  if (world_rank() != 0) first.plan.wait();
  second.plan.wait();

  third.comparison.expect_restarts(third.plan);
}

// One thread waits for messages that come by MPI alone, when another starts the plan that the peer needs.
TEST_F(Pulled, StartedByAnotherThreadDuringAWait) {
  Planned packed{varied, by({"spread_out", "packed"})};
  packed.comparison.prepare(2);

  if (world_rank() == 0) {
    packed.plan.start();
    std::thread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      first.plan.start();
      second.plan.start();
    });
    packed.plan.wait();
    later.join();
  } else {
    first.plan.start();
    second.plan.start();
  }
  first.plan.wait();
  second.plan.wait();
  if (world_rank() != 0) packed.plan.run();

  packed.comparison.expect_equal("of the packed one");
}

// Rank 1 is two starts behind: the third start of rank 0 may not write yet, and returns.
TEST(OneWay, GateOpensWhileAnotherPlanIsWaitedFor) {
  Planned one_way{none_backwards, by({"spread_out", "shared"})};
  Planned both_ways{three, by({"spread_out", "shared"})};
  both_ways.comparison.prepare(1);
  one_way.comparison.prepare(0);

  if (world_rank() == 0) {
    one_way.plan.run();
    one_way.plan.run();
    one_way.plan.start();
    both_ways.plan.start();
    both_ways.plan.wait();
    one_way.plan.wait();
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (int start = 0; start < 3; ++start) one_way.plan.run();
    both_ways.plan.run();
  }

  one_way.comparison.expect_equal("one way");
  both_ways.comparison.expect_equal("both ways");
}

// The rank that has nothing to exchange in place is the second of three.
TEST(Native, InPlaceWithARankThatHasNothingIsFollowedByAnotherInit) {
  const auto ends = [](int source, int destination) { return source != 1 && destination != 1 ? 2 : 0; };
  Comparison first = Comparison::in_place(receives(ends));
  Request native = first.plan(by("native"));

  Comparison second = Comparison::of(varied);
  Request plan = second.plan(by("tuna"));

  first.expect_restarts(native);
  second.expect_restarts(plan);
}

// Ranks that complete at once what they wait for, or have nothing to wait for, keep other plans moving all the same.
class NeverWaiting : public Pulled {
 protected:
  // Calls `poll` until rank 1, which has to have what this rank has started, says that it is through.
  template <class Poll>
  void expect_heard(Poll &&poll) {
    int word = 0;
    first.plan.start();
    second.plan.start();
    if (world_rank() == 0) {
      for (int there = 0; there == 0;) {
        poll();
        MPI_Iprobe(world_ranks() - 1, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
      }
      MPI_Recv(&word, 1, MPI_INT, world_ranks() - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    first.plan.wait();
    second.plan.wait();
    if (world_rank() == world_ranks() - 1) MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }

  std::array<int, 2> own{};
  Request alone = alltoall_init(std::span<const int>(own).first(1), std::span<int>(own).last(1), MPI_COMM_SELF);
};

TEST_F(NeverWaiting, StartsAndWaits) {
  expect_heard([&] { alone.run(); });
}

TEST_F(NeverWaiting, TestsThatAreTrueAtOnce) {
  expect_heard([&] {
    alone.start();
    while (!alone.test()) {
    }
  });
}

TEST_F(NeverWaiting, TestsOfAnInactiveOne) {
  expect_heard([&] { EXPECT_TRUE(alone.test()); });
}

// A message so long that MPI sends it when it is asked for, from a rank that is in a loop of tests.
TEST(TestLoop, LetsTheProgramsOwnMessagesThrough) {
  Planned small{three, by({"spread_out", "shared"})};
  small.comparison.prepare(0);
  std::vector<int> data(1 << 18);
  MPI_Request send = MPI_REQUEST_NULL;

  if (world_rank() == 0) {
    small.plan.start();
    MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_INT, 1, 0, MPI_COMM_WORLD, &send);
    while (!small.plan.test()) {
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  } else {
    if (world_rank() == 1) {
      MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    small.plan.run();
  }

  small.comparison.expect_equal();
}

// The same where the first of those that are tested is complete.
TEST(TestLoop, OfSeveralLetsTheProgramsOwnMessagesThrough) {
  Planned nothing{none, by({"spread_out", "shared"})};
  Planned small{three, by({"spread_out", "shared"})};
  small.comparison.prepare(0);
  std::vector<int> data(1 << 18);
  MPI_Request send = MPI_REQUEST_NULL;

  if (world_rank() == 0) {
    std::array<RONDO_Request, 2> tested{nothing.plan.native(), small.plan.native()};
    ASSERT_EQ(RONDO_Startall(2, tested.data()), MPI_SUCCESS);
    MPI_Isend(data.data(), static_cast<int>(data.size()), MPI_INT, 1, 0, MPI_COMM_WORLD, &send);
    for (int all = 0; all == 0;) {
      ASSERT_EQ(RONDO_Testall(2, tested.data(), &all, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    }
    MPI_Wait(&send, MPI_STATUS_IGNORE);
  } else {
    if (world_rank() == 1) {
      MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    small.plan.run();
  }

  small.comparison.expect_equal();
}

}  // namespace
}  // namespace rondo
