// At MPI_THREAD_MULTIPLE: plans that threads start and complete without regard to each other.

#include <atomic>
#include <thread>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

constexpr int rounds = 5;

// Plans on the same communicator, made one after the other, each then run by a thread of its own.
class Threads : public testing::Test {
 protected:
  void run(const std::vector<Way> &ways) {
    std::vector<Comparison> comparisons(ways.size(), Comparison::of(varied));
    std::vector<Request> plans;
    for (const Way &way : ways) plans.push_back(comparisons[plans.size()].plan(by(way)));
    for (int round = 0; round < 3; ++round) {
      for (Comparison &comparison : comparisons) comparison.prepare(round);

      std::vector<std::jthread> threads;
      for (Request &plan : plans) threads.emplace_back([&plan] { repeat(plan); });
      threads.clear();

      for (std::size_t i = 0; i < ways.size(); ++i) comparisons[i].expect_equal(to_string(ways[i]));
    }
  }

 private:
  static void repeat(Request &plan) {
    for (int i = 0; i < rounds; ++i) {
      plan.start();
      if (i % 2 == 0) {
        plan.wait();
      } else {
        while (!plan.test()) std::this_thread::yield();
      }
    }
  }
};

TEST_F(Threads, PlansOfOneStep) {
  run({{"linear", "shared"}, {"linear", "packed"}, {"padded_alltoall", "packed"}});
}

TEST_F(Threads, PlansOfSeveralSteps) {
  run({{"tuna", "packed"}, {"tuna", "shared"}, {"two_phase_bruck", "mixed"}});
}

TEST_F(Threads, NativePlansAmongOthers) {
  run({{"native"}, {"tuna", "packed"}, {"linear", "packed"}});
}

// Each thread on a communicator of its own: inits, starts and frees all at once.
TEST_F(Threads, EachWithItsOwnCommunicator) {
  std::vector<MPI_Comm> comms(3, MPI_COMM_NULL);
  for (MPI_Comm &comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<Comparison> comparisons;
  for (const MPI_Comm comm : comms) comparisons.emplace_back(sends(varied), receives(varied), comm);
  for (Comparison &comparison : comparisons) comparison.prepare(0);

  std::vector<std::jthread> threads;
  for (Comparison &comparison : comparisons) {
    threads.emplace_back([&comparison] {
      for (const char *wire : {"packed", "shared", "packed"}) comparison.plan(by({"tuna", wire})).run();
    });
  }
  threads.clear();

  for (const Comparison &comparison : comparisons) comparison.expect_equal();
  for (MPI_Comm &comm : comms) MPI_Comm_free(&comm);
}

TEST_F(Threads, EachHasItsOwnLastError) {
  RONDO_Request null = RONDO_REQUEST_NULL;
  refused(RONDO_Start(&null));
  RONDO_Error_values of_thread{};

  std::jthread([&of_thread] {
    int length = 0;
    RONDO_Request_report_json(RONDO_REQUEST_NULL, nullptr, &length);
    RONDO_Comm_size(MPI_COMM_WORLD, nullptr);
    RONDO_Error_last(&of_thread, sizeof(of_thread));
  }).join();

  RONDO_Error_values own{};
  RONDO_Error_last(&own, sizeof(own));
  EXPECT_EQ(own.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(of_thread.code, RONDO_ERR_ARG);
}

// While one thread asks and another plans, both have MPI return its errors; the program's handler comes back.
TEST(ErrorHandlerOfTheProgram, IsAsItWasWhenThreadsHaveAskedAndPlanned) {
  MPI_Errhandler before = MPI_ERRHANDLER_NULL;
  MPI_Errhandler after = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);

  {
    std::atomic<bool> planning{true};
    const std::jthread asking([&] {
      for (int size = 0; planning;) RONDO_Comm_size(MPI_COMM_SELF, &size);
    });
    for (int init = 0; init < 20; ++init) {
      Comparison comparison = Comparison::of(three);
      const Request plan = comparison.plan();
    }
    planning = false;
  }

  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
  EXPECT_EQ(after, before);
  MPI_Errhandler_free(&before);
  MPI_Errhandler_free(&after);
}

}  // namespace
}  // namespace rondo

int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_MULTIPLE);
}
