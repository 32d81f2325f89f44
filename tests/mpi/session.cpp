#include "tests/mpi/session.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace rondo {

namespace {

constexpr unsigned most_seconds = 120;

char overdue_message[512];

// What a signal handler may do, and no more.
void end_overdue(int) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, overdue_message, std::strlen(overdue_message));
  _exit(EXIT_FAILURE);
}

std::string name_of(const testing::TestInfo &test) {
  return std::string(test.test_suite_name()) + "." + test.name();
}

class Watchdog : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo &test) override {
    std::snprintf(overdue_message, sizeof(overdue_message), "rank %d: %s has not ended after %u seconds\n",
                  world_rank(), name_of(test).c_str(), most_seconds);
    std::signal(SIGALRM, end_overdue);
    alarm(most_seconds);
  }
  void OnTestEnd(const testing::TestInfo &) override { alarm(0); }
};

// Of the ranks that do not print otherwise.
class FailurePrinter : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo &test) override { test_ = name_of(test); }
  void OnTestPartResult(const testing::TestPartResult &result) override {
    if (!result.failed()) return;
    std::fprintf(stderr, "rank %d: %s: %s:%d: %s\n", world_rank(), test_.c_str(),
                 result.file_name() == nullptr ? "?" : result.file_name(), result.line_number(), result.message());
  }

  std::string test_;
};

}  // namespace

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int world_ranks() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

int run_tests(int argc, char **argv, int thread_level) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, thread_level, &provided);
  if (provided < thread_level) {
    std::fprintf(stderr, "MPI gives thread level %d, the tests need %d\n", provided, thread_level);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  testing::InitGoogleTest(&argc, argv);
  testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
  if (world_rank() != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailurePrinter);
  }
  listeners.Append(new Watchdog);
  int failed = RUN_ALL_TESTS();
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (failed != 0 && world_rank() == 0) std::fprintf(stderr, "failed on one rank or more\n");
  MPI_Finalize();
  return failed;
}

}  // namespace rondo

// A program that needs another thread level has a main of its own.
[[gnu::weak]] int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_SINGLE);
}
