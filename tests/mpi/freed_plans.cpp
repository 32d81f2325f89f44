// What freed plans leave of shared memory: the next ones of about the same size use it, and what is beyond a limit
// goes back to the system.

#include <vector>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/each_for_itself.hpp"
#include "tests/mpi/shared_bytes.hpp"

namespace rondo {
namespace {

int of_8_bytes(int, int) {
  return 2;
}
// So that plans have 1 MiB a rank and bank, on however many ranks.
int of_a_mebibyte_in_all(int, int) {
  return (1 << 18) / std::max(1, world_ranks() - 1);
}
int of_half_a_mebibyte_in_all(int, int) {
  return of_a_mebibyte_in_all(0, 0) / 2;
}

class FreedPlans : public testing::Test {
 protected:
  void SetUp() override {
    if (world_ranks() == 1) GTEST_SKIP() << "nobody shares";
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    Comparison(sends(of_8_bytes), receives(of_8_bytes), comm_).plan();
    at_first_ = shared_bytes();
  }
  void TearDown() override {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  [[nodiscard]] Comparison comparison(CountRule rule) const { return {sends(rule), receives(rule), comm_}; }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  // More than at first.
  [[nodiscard]] long more_bytes() const { return shared_bytes() - at_first_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  long at_first_ = 0;
};

TEST_F(FreedPlans, LeaveTheirMemoryToOnesOfAboutTheirSize) {
  comparison(of_a_mebibyte_in_all).plan(by("spread_out"));
  const long after_one = more_bytes();
  Comparison half = comparison(of_half_a_mebibyte_in_all);
  Request plan = half.plan(by("spread_out"));

  EXPECT_EQ(more_bytes(), after_one);
  half.expect_restarts(plan);
}

TEST_F(FreedPlans, LeaveNothingLargeToSmallOnes) {
  Hints hints = by("spread_out");
  hints.set("rondo_shared_limit", "0");
  Comparison small = comparison(of_8_bytes);
  std::vector<Request> plans;
  for (int i = 0; i < 5; ++i) {
    comparison(of_a_mebibyte_in_all).plan(by("spread_out"));
    plans.push_back(small.plan(hints));
  }

  EXPECT_LT(more_bytes(), 1 << 20);
  for (Request &plan : plans) small.expect_restarts(plan);
}

// It finds in binding that two ranks expect other sizes of a block, when it has taken its shared memory.
void fail_in_init(MPI_Comm comm, int ints) {
  Hints hints = by("spread_out");
  hints.set("rondo_shared_limit", "0");
  std::vector<int> counts(static_cast<std::size_t>(world_ranks()), ints);
  std::vector<int> displacements(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i) displacements[i] = displacements[i - 1] + ints + 1;
  std::vector<int> received = counts;
  if (world_rank() == 0) ++received[1];
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init(RONDO_PLAN_BUFFER, counts.data(), displacements.data(), MPI_INT, RONDO_PLAN_BUFFER,
                                 received.data(), displacements.data(), MPI_INT, comm, hints.info(), &request),
            RONDO_ERR_MISMATCH);
}

TEST_F(FreedPlans, ThatHaveFailedInTheirInitLeaveOneRegion) {
  constexpr int most = 1 << 17;
  for (int ints = 1 << 13; ints <= most; ints *= 2) fail_in_init(comm(), ints);
  const long left = more_bytes();
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);

  fail_in_init(other, most);
  const long one = more_bytes() - left;
  MPI_Comm_free(&other);

  EXPECT_GT(one, most);
  EXPECT_LT(left, one * 3 / 2);
}

// Of a few ranks, which need not all have freed one before the next is made.
TEST_F(FreedPlans, LeaveNothingBesideManyThatLive) {
  Comparison small = comparison(of_8_bytes);
  std::vector<Request> plans;
  for (int i = 0; i < 70; ++i) plans.push_back(small.plan(by("spread_out")));
  Comparison large = comparison(of_a_mebibyte_in_all);
  const long before = more_bytes();

  for (int i = 0; i < 20; ++i) large.plan(by("spread_out"));

  EXPECT_LT(more_bytes() - before, world_ranks() * 3 * (3L << 20));
  for (Request &plan : plans) small.expect_restarts(plan, 1);
}

TEST_F(FreedPlans, LeaveNoMoreThanTheLimit) {
  Hints hints = by("spread_out");
  hints.set("rondo_shared_limit", "3000000");
  Comparison one = comparison(of_a_mebibyte_in_all);
  {
    std::vector<Request> plans;
    for (int i = 0; i < 10; ++i) plans.push_back(one.plan(hints));
    EXPECT_GT(more_bytes(), 30'000'000);
  }
  MPI_Barrier(MPI_COMM_WORLD);  // all have freed theirs
  Request plan = one.plan(hints);

  EXPECT_LT(more_bytes(), world_ranks() * 3'000'000 + 3'000'000);
  one.expect_restarts(plan);
}

// A rank may make a plan while another has not freed the one before, which then still has its memory: so there may be a
// few regions more than plans at one time, but no more with each plan.
TEST_F(FreedPlans, LeaveNothingOfAThousand) {
  Comparison one = comparison(of_8_bytes);
  Comparison other = comparison(long_and_short);
  const auto make_and_free = [&](int times) {
    for (int i = 0; i < times; ++i) {
      Request first = one.plan(by("spread_out"));
      Request second = other.plan(by("tuna"));
      if (i % 100 == 0) one.expect_restarts(first, 1);
    }
  };
  make_and_free(10);
  const long after_a_few = more_bytes();

  make_and_free(490);

  EXPECT_LE(more_bytes(), 4 * after_a_few);
}

}  // namespace
}  // namespace rondo
