// Plans that are under way at once do not meet, in whatever order each rank starts and completes them, and the
// program's own messages and collectives on the same communicator do not meet them either.

#include <numeric>

#include "tests/mpi/comparison.hpp"

namespace rondo {
namespace {

// Plans of one step and of several, and of the MPI library's own calls, each with data of its own.
class SeveralPlans : public testing::Test {
 protected:
  void SetUp() override {
    const Hints hints[] = {by({"tuna", "packed"}),
                           by({"linear", "packed"}),
                           by({"two_phase_bruck", "shared"}),
                           {{"rondo_algorithm", "native"}, {"rondo_native", "persistent"}},
                           by({"pairwise", "mixed"}),
                           {{"rondo_algorithm", "native"}, {"rondo_native", "nonblocking"}},
                           by({"linear", "shared"}),
                           by({"tuna", "packed"})};
    for (const Hints &hint : hints) add(hint, MPI_COMM_WORLD);
  }

  void add(const Hints &hints, MPI_Comm comm) {
    const int gap = static_cast<int>(comparisons.size());
    comparisons.emplace_back(sends(varied), receives(varied, {.gap = gap}), comm);
    plans.push_back(comparisons.back().plan(hints));
  }

  void prepare(int round) {
    for (std::size_t i = 0; i < comparisons.size(); ++i) {
      comparisons[i].prepare(10 * round + static_cast<int>(i));
    }
  }

  void expect_equal() const {
    for (std::size_t i = 0; i < comparisons.size(); ++i) comparisons[i].expect_equal("of plan " + std::to_string(i));
  }

  // The plans' indices in an order that depends on the rank.
  [[nodiscard]] std::vector<std::size_t> own_order(int turn = 0) const {
    std::vector<std::size_t> order(plans.size());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + (3 * world_rank() + turn) % static_cast<int>(order.size()), order.end());
    if ((world_rank() + turn) % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
  }

  // Starts all plans, in this rank's order.
  std::vector<RONDO_Request> start_all(int round) {
    std::vector<RONDO_Request> requests;
    for (const std::size_t i : own_order(round)) requests.push_back(plans[i].native());
    EXPECT_EQ(RONDO_Startall(static_cast<int>(requests.size()), requests.data()), MPI_SUCCESS);
    return requests;
  }

  std::vector<Comparison> comparisons;
  std::vector<Request> plans;
};

TEST_F(SeveralPlans, StartedAndWaitedForInAnyOrder) {
  for (int round = 0; round < 4; ++round) {
    prepare(round);

    for (const std::size_t i : own_order(round)) plans[i].start();
    for (const std::size_t i : own_order(round + 1)) plans[i].wait();

    expect_equal();
  }
}

TEST_F(SeveralPlans, StartallAndWaitall) {
  for (int round = 0; round < 3; ++round) {
    prepare(round);

    std::vector<RONDO_Request> requests = start_all(round);
    const int count = static_cast<int>(requests.size());
    ASSERT_EQ(RONDO_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);

    expect_equal();
  }
}

TEST_F(SeveralPlans, Testall) {
  for (int round = 0; round < 3; ++round) {
    prepare(round);

    std::vector<RONDO_Request> requests = start_all(round);
    const int count = static_cast<int>(requests.size());
    int flag = 0;
    while (flag == 0) ASSERT_EQ(RONDO_Testall(count, requests.data(), &flag, MPI_STATUSES_IGNORE), MPI_SUCCESS);

    expect_equal();
  }
}

TEST_F(SeveralPlans, StartedBetweenTestsOfOthers) {
  for (int round = 0; round < 3; ++round) {
    prepare(round);
    const std::vector<std::size_t> order = own_order(round);

    for (std::size_t k = 0; k < order.size(); ++k) {
      plans[order[k]].start();
      [[maybe_unused]] const bool complete = plans[order[k / 2]].test();
    }
    for (const std::size_t i : order) plans[i].wait();

    expect_equal();
  }
}

TEST_F(SeveralPlans, ProgramReceivesAnyTagFromAnySource) {
  const int next = (world_rank() + 1) % world_ranks();
  const int previous = (world_rank() + world_ranks() - 1) % world_ranks();
  for (int round = 0; round < 3; ++round) {
    prepare(round);
    int sent = 100 * world_rank() + round;
    int received = -1;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Status status;

    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &receive);
    for (Request &plan : plans) plan.start();
    MPI_Isend(&sent, 1, MPI_INT, next, round, MPI_COMM_WORLD, &send);  // tags that the plans have too
    for (Request &plan : plans) plan.wait();
    MPI_Wait(&receive, &status);
    MPI_Wait(&send, MPI_STATUS_IGNORE);

    EXPECT_EQ(received, 100 * previous + round);
    EXPECT_EQ(status.MPI_TAG, round);
    expect_equal();
  }
}

TEST_F(SeveralPlans, ProgramCallsCollectivesMeanwhile) {
  for (int round = 0; round < 3; ++round) {
    prepare(round);
    int sum = world_rank() + round;

    for (const std::size_t i : own_order(round)) plans[i].start();
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (const std::size_t i : own_order(round)) plans[i].wait();

    EXPECT_EQ(sum, world_ranks() * (world_ranks() - 1) / 2 + world_ranks() * round);
    expect_equal();
  }
}

TEST_F(SeveralPlans, OnTwoCommunicators) {
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (const char *algorithm : {"tuna", "linear", "native"}) add(by(algorithm), other);

  for (int round = 0; round < 3; ++round) {
    prepare(round);
    for (const std::size_t i : own_order(round)) plans[i].start();
    for (const std::size_t i : own_order(round + 1)) plans[i].wait();
    expect_equal();
  }

  MPI_Comm_free(&other);
}

// A plan made while others are under way.
TEST_F(SeveralPlans, InitWhileOthersAreActive) {
  prepare(0);
  for (Request &plan : plans) plan.start();

  Comparison late = Comparison::of(varied);
  Request plan = late.plan(by("tuna"));
  for (Request &early : plans) early.wait();

  expect_equal();
  late.expect_restarts(plan);
}

}  // namespace
}  // namespace rondo
