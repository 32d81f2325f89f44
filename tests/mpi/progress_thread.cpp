// rondo_progress=thread: exchanges that end while those who started them do something else.

#include <array>
#include <thread>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

class ProgressThread : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, ProgressThread,
                         testing::ValuesIn(std::vector<Way>{{"linear", "shared"},
                                                            {"linear", "packed"},
                                                            {"tuna", "shared"},
                                                            {"tuna", "packed"},
                                                            {"tuna", "mixed"},
                                                            {"tuna", "datatype"},
                                                            {"padded_bruck", "shared"},
                                                            {"native"}}),
                         way_name);

// Rank 0 receives what the others send only after their own exchange, so that it cannot end without what rank 0 does
// for it. Were it not for the thread, all would wait for ever.
void expect_completion_beside_a_receive(Comparison &comparison, Request &plan, int round) {
  comparison.prepare(round);
  plan.start();
  if (world_rank() == 0) {
    for (int from = 1; from < world_ranks(); ++from) {
      int token = 0;
      MPI_Recv(&token, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    plan.wait();
  } else {
    plan.wait();
    MPI_Send(&round, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  comparison.expect_equal("in round " + std::to_string(round));
}

TEST_P(ProgressThread, OthersEndWhileACallerReceives) {
  Comparison comparison = Comparison::of(varied);
  Request plan = comparison.plan(by_thread(GetParam()));

  for (int round = 0; round < 5; ++round) expect_completion_beside_a_receive(comparison, plan, round);
}

TEST_P(ProgressThread, OthersEndWhileACallerReceivesLongBlocks) {
  Comparison comparison = Comparison::of(very_long_and_short);
  Request plan = comparison.plan(by_thread(GetParam()));

  for (int round = 0; round < 5; ++round) expect_completion_beside_a_receive(comparison, plan, round);
}

TEST_P(ProgressThread, OtherBuffersByRebind) {
  Comparison first = Comparison::of(very_long_and_short);
  Comparison second = Comparison::of(very_long_and_short);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(first.init(&request, by_thread(GetParam())), MPI_SUCCESS);
  Request plan(request);

  for (int round = 0; round < 4; ++round) {
    Comparison &now = round % 2 == 0 ? second : first;
    ASSERT_EQ(RONDO_Rebind(&request, now.send_base(), now.receive_buffer.base()), MPI_SUCCESS);
    expect_completion_beside_a_receive(now, plan, round);
  }
}

TEST_P(ProgressThread, TestBesideTheThread) {
  Comparison comparison = Comparison::of(long_and_short);
  Request plan = comparison.plan(by_thread(GetParam()));

  for (int round = 0; round < 5; ++round) {
    comparison.prepare(round);
    plan.start();
    while (!plan.test()) {
    }
    comparison.expect_equal("in round " + std::to_string(round));
  }
}

// ---- Several plans -----------------------------------------------------------------------------------------

// Two of the thread's, and two that callers drive, each complete in another order.
TEST(ProgressThreads, SeveralPlansOfBothKinds) {
  std::vector<Comparison> comparisons(4, Comparison::of(varied));
  const std::array hints{by_thread({"tuna", "packed"}), by({"tuna", "packed"}), by_thread({"linear", "shared"}),
                         by({"linear", "packed"})};
  std::vector<Request> plans;
  for (Comparison &comparison : comparisons) plans.push_back(comparison.plan(hints[plans.size()]));

  for (int round = 0; round < 4; ++round) {
    for (Comparison &comparison : comparisons) comparison.prepare(round);
    for (Request &plan : plans) plan.start();
    std::rotate(plans.begin(), plans.begin() + (world_rank() + 1) % 4, plans.end());
    for (Request &plan : plans) plan.wait();
    for (const Comparison &comparison : comparisons) comparison.expect_equal();
  }
}

TEST(ProgressThreads, OneIsFreedWhileTheThreadDrivesAnother) {
  Comparison comparison = Comparison::of(varied);
  Comparison early_comparison = Comparison::of(varied);
  Request plan = comparison.plan(by_thread({"tuna", "packed"}));
  Request early = early_comparison.plan(by_thread({"tuna", "shared"}));
  early_comparison.expect_restarts(early);
  comparison.prepare(0);

  plan.start();
  early = Request();
  plan.wait();

  comparison.expect_equal();
}

TEST(ProgressThreads, InitWhileTheThreadDrivesAnother) {
  Comparison comparison = Comparison::of(varied);
  Comparison late_comparison = Comparison::of(varied);
  Request plan = comparison.plan(by_thread({"tuna", "packed"}));
  comparison.prepare(0);

  plan.start();
  Request late = late_comparison.plan(by_thread({"tuna", "packed"}));
  plan.wait();

  comparison.expect_equal();
  late_comparison.expect_restarts(late);
}

// Each started and waited for by a thread of the program's own.
TEST(ProgressThreads, BesideSeveralCallers) {
  const std::vector<Way> ways{{"tuna", "packed"}, {"tuna", "shared"}, {"linear", "shared"}};
  std::vector<Comparison> comparisons(ways.size(), Comparison::of(varied));
  std::vector<Request> plans;
  for (const Way &way : ways) plans.push_back(comparisons[plans.size()].plan(by_thread(way)));
  for (Comparison &comparison : comparisons) comparison.prepare(0);

  std::vector<std::jthread> callers;
  for (Request &plan : plans) {
    callers.emplace_back([&plan] {
      for (int start = 0; start < 10; ++start) plan.run();
    });
  }
  callers.clear();

  for (const Comparison &comparison : comparisons) comparison.expect_equal();
}

// ---- What goes wrong ---------------------------------------------------------------------------------------

TEST(ProgressThreads, AnActivePlanIsNotFreed) {
  Comparison comparison = Comparison::of(varied);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(comparison.init(&request, by_thread({"tuna", "shared"})), MPI_SUCCESS);

  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  EXPECT_EQ(RONDO_Request_free(&request), RONDO_ERR_REQUEST);

  EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

// Only rank 0 starts, so nothing can come.
TEST(ProgressThreads, AWaitStallsAsWithoutTheThread) {
  Comparison comparison = Comparison::of(three);
  Hints hints = by_thread({"linear", "shared"});
  hints.set("rondo_stall_timeout", "0.2");
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(comparison.init(&request, hints), MPI_SUCCESS);

  if (world_rank() == 0) {
    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    const Refusal refusal = refused(RONDO_Wait(&request, MPI_STATUS_IGNORE));
    EXPECT_EQ(refusal.code, RONDO_ERR_STALLED) << refusal.message;
    EXPECT_EQ(refused(RONDO_Start(&request)).code, RONDO_ERR_REQUEST);
  }

  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

TEST(ProgressThreads, TheReportNamesIt) {
  Comparison comparison = Comparison::of(three);

  EXPECT_STREQ(comparison.plan(by_thread({"linear"})).report().progress, "thread");
  EXPECT_STREQ(comparison.plan(by("linear")).report().progress, "caller");
}

TEST(ProgressThreads, OnOneRankOnly) {
  Comparison comparison = Comparison::of(three);
  RONDO_Request request = RONDO_REQUEST_NULL;

  const Refusal refusal = refused(comparison.init(&request, world_rank() == 0 ? by_thread({"linear"}) : by("linear")));

  EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
  EXPECT_TRUE(refusal.message.find("the hints are not the same on all ranks: rondo_progress ") != std::string::npos)
      << refusal.message;
}

}  // namespace
}  // namespace rondo

int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_MULTIPLE);
}
