// Calls on several requests: which of them are completed, what they are told, and what becomes of the others when one
// fails.

#include <sched.h>

#include <array>
#include <numeric>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

MPI_Status used_status() {
  MPI_Status status{};
  status.MPI_SOURCE = 5;
  status.MPI_TAG = 6;
  status.MPI_ERROR = MPI_ERR_OTHER;
  MPI_Status_set_elements(&status, MPI_BYTE, 7);
  return status;
}

void expect_empty(const MPI_Status &status) {
  int count = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
  EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
  EXPECT_EQ(status.MPI_ERROR, MPI_SUCCESS);
  EXPECT_EQ(count, 0);
}

bool is_active(RONDO_Request request) {
  return refused(RONDO_Start(&request)).message == "start of an active request";
}

// Three plans on a communicator that is not freed, as messages may be left on it.
class SeveralBy : public testing::TestWithParam<Way> {
 protected:
  SeveralBy() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    Hints hints = by(GetParam());
    hints.set("rondo_stall_timeout", "0.3");
    for (RONDO_Request &request : requests) {
      comparisons.emplace_back(sends(varied), receives(varied), comm_);
      EXPECT_EQ(comparisons.back().init(&request, hints), MPI_SUCCESS);
    }
  }
  ~SeveralBy() override {
    for (RONDO_Request &request : requests) EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void start(std::size_t index) {
    comparisons[index].prepare(static_cast<int>(index));
    ASSERT_EQ(RONDO_Start(&requests[index]), MPI_SUCCESS);
  }
  // All but the last rank start the second, which stalls there; gives whether this rank is one of them.
  bool start_all_with_a_stalling_one() {
    start(0);
    start(2);
    comparisons[1].prepare(1);
    const bool stalls = world_rank() + 1 < world_ranks();
    if (stalls) {
      EXPECT_EQ(RONDO_Start(&requests[1]), MPI_SUCCESS);
    }
    return stalls;
  }
  void expect_first_and_third_arrived() {
    comparisons[0].expect_equal();
    comparisons[2].expect_equal();
  }

  std::array<RONDO_Request, 3> requests{};
  std::vector<Comparison> comparisons;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};
INSTANTIATE_TEST_SUITE_P(
    , SeveralBy,
    testing::ValuesIn(std::vector<Way>{
        {"spread_out", "packed"}, {"spread_out", "shared"}, {"tuna", "packed"}, {"tuna", "shared"}}),
    way_name);

// ---- Any -----------------------------------------------------------------------------------------------------

TEST_P(SeveralBy, WaitanyCompletesOneAfterTheOther) {
  for (std::size_t i = 0; i < 3; ++i) start(i);
  std::array<int, 3> times{};

  for (int round = 0; round < 3; ++round) {
    int index = -1;
    MPI_Status status = used_status();
    ASSERT_EQ(RONDO_Waitany(3, requests.data(), &index, &status), MPI_SUCCESS);
    ASSERT_TRUE(index >= 0 && index < 3) << index;
    ++times[static_cast<std::size_t>(index)];
    comparisons[static_cast<std::size_t>(index)].expect_equal();
    expect_empty(status);
  }

  EXPECT_EQ(times, (std::array{1, 1, 1}));
}

TEST_P(SeveralBy, WaitanyPassesOverNullAndInactiveOnes) {
  std::array some{RONDO_Request{RONDO_REQUEST_NULL}, requests[0], requests[1]};
  start(1);
  int index = -1;

  ASSERT_EQ(RONDO_Waitany(3, some.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);

  EXPECT_EQ(index, 2);
  comparisons[1].expect_equal();
}

TEST_P(SeveralBy, AnyOfNoneThatIsActiveIsUndefined) {
  int of_wait = -1;
  int of_test = -1;
  int flag = 0;
  std::array statuses{used_status(), used_status()};

  ASSERT_EQ(RONDO_Waitany(3, requests.data(), &of_wait, &statuses[0]), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Testany(0, nullptr, &of_test, &flag, &statuses[1]), MPI_SUCCESS);

  EXPECT_EQ(of_wait, MPI_UNDEFINED);
  EXPECT_EQ(of_test, MPI_UNDEFINED);
  EXPECT_EQ(flag, 1);
  for (const MPI_Status &status : statuses) expect_empty(status);
}

TEST_P(SeveralBy, TestanyLeavesWhatIsNotComplete) {
  if (world_ranks() == 1) GTEST_SKIP() << "all is complete at once";
  comparisons[0].prepare(0);
  int index = -1;
  int flag = -1;

  if (world_rank() == 0) {
    ASSERT_EQ(RONDO_Start(&requests[0]), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Testany(3, requests.data(), &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(index, MPI_UNDEFINED);
    EXPECT_EQ(flag, 0);
    EXPECT_TRUE(is_active(requests[0]));
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() != 0) {
    ASSERT_EQ(RONDO_Start(&requests[0]), MPI_SUCCESS);
  }
  for (flag = 0; flag == 0; sched_yield()) {
    ASSERT_EQ(RONDO_Testany(3, requests.data(), &index, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
  }

  EXPECT_EQ(index, 0);
  comparisons[0].expect_equal();
}

TEST_P(SeveralBy, WaitanyTellsTheErrorOfTheOneThatFails) {
  if (world_ranks() == 1) GTEST_SKIP() << "nobody is waited for";
  comparisons[0].prepare(0);
  comparisons[1].prepare(1);
  if (world_rank() + 1 == world_ranks()) return;
  ASSERT_EQ(RONDO_Start(&requests[0]), MPI_SUCCESS);  // both stall
  ASSERT_EQ(RONDO_Start(&requests[1]), MPI_SUCCESS);
  int first = -1;
  int second = -1;

  EXPECT_EQ(refused(RONDO_Waitany(3, requests.data(), &first, MPI_STATUS_IGNORE)).code, RONDO_ERR_STALLED);
  EXPECT_EQ(refused(RONDO_Waitany(3, requests.data(), &second, MPI_STATUS_IGNORE)).code, RONDO_ERR_STALLED);

  EXPECT_EQ(first + second, 1) << first << " and " << second;
  EXPECT_EQ(refused(RONDO_Start(&requests[0])).message, "start of a request whose exchange has failed before");
}

// ---- Some ----------------------------------------------------------------------------------------------------

TEST_P(SeveralBy, WaitsomeCompletesAllInTheEnd) {
  for (std::size_t i = 0; i < 3; ++i) start(i);
  std::array<int, 3> times{};
  std::array<int, 3> indices{};
  int count = 0;

  for (int done = 0; done < 3; done += count) {
    std::array statuses{used_status(), used_status(), used_status()};
    ASSERT_EQ(RONDO_Waitsome(3, requests.data(), &count, indices.data(), statuses.data()), MPI_SUCCESS);
    ASSERT_GE(count, 1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      ++times[static_cast<std::size_t>(indices[i])];
      expect_empty(statuses[i]);
    }
  }
  ASSERT_EQ(RONDO_Waitsome(3, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);

  EXPECT_EQ(count, MPI_UNDEFINED);
  EXPECT_EQ(times, (std::array{1, 1, 1}));
  for (const Comparison &comparison : comparisons) comparison.expect_equal();
}

TEST_P(SeveralBy, TestsomeCompletesWhatIsCompleteAlone) {
  if (world_ranks() == 1) GTEST_SKIP() << "all is complete at once";
  std::array<int, 3> indices{-1, -1, -1};
  int count = -1;
  start(1);
  comparisons[2].prepare(2);
  if (world_rank() == 0) {
    ASSERT_EQ(RONDO_Start(&requests[2]), MPI_SUCCESS);
  }

  for (count = 0; count == 0; sched_yield()) {
    ASSERT_EQ(RONDO_Testsome(3, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  }

  EXPECT_EQ(count, 1);
  EXPECT_EQ(indices[0], 1);
  comparisons[1].expect_equal();
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() != 0) {
    ASSERT_EQ(RONDO_Start(&requests[2]), MPI_SUCCESS);
  }
  ASSERT_EQ(RONDO_Wait(&requests[2], MPI_STATUS_IGNORE), MPI_SUCCESS);
  comparisons[2].expect_equal();
}

TEST_P(SeveralBy, SomeOfNoneThatIsActiveIsUndefined) {
  int of_test = -1;
  int of_none = -1;
  std::array<int, 3> indices{};

  ASSERT_EQ(RONDO_Testsome(3, requests.data(), &of_test, indices.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Waitsome(0, nullptr, &of_none, nullptr, MPI_STATUSES_IGNORE), MPI_SUCCESS);

  EXPECT_EQ(of_test, MPI_UNDEFINED);
  EXPECT_EQ(of_none, MPI_UNDEFINED);
}

TEST_P(SeveralBy, WaitsomeGivesTheCodeOfTheOneThatFailsInItsStatus) {
  if (world_ranks() == 1) GTEST_SKIP() << "nobody is waited for";
  const bool stalls = start_all_with_a_stalling_one();
  std::array<int, 3> codes{-1, -1, -1};

  for (int done = 0; done < (stalls ? 3 : 2);) {
    std::array statuses{used_status(), used_status(), used_status()};
    std::array<int, 3> indices{};
    int count = 0;
    const int code = RONDO_Waitsome(3, requests.data(), &count, indices.data(), statuses.data());
    bool failed = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      codes[static_cast<std::size_t>(indices[i])] = statuses[i].MPI_ERROR;
      failed = failed || statuses[i].MPI_ERROR != MPI_SUCCESS;
    }
    ASSERT_EQ(code, failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
    done += count;
  }

  EXPECT_EQ(codes, (std::array{MPI_SUCCESS, stalls ? int{RONDO_ERR_STALLED} : -1, MPI_SUCCESS}));
  expect_first_and_third_arrived();
}

// ---- All -----------------------------------------------------------------------------------------------------

TEST_P(SeveralBy, WaitallWaitsForThoseBehindTheOneThatFails) {
  if (world_ranks() == 1) GTEST_SKIP() << "nobody is waited for";
  const bool stalls = start_all_with_a_stalling_one();
  std::array statuses{used_status(), used_status(), used_status()};

  const Refusal refusal = refused(RONDO_Waitall(3, requests.data(), statuses.data()));

  EXPECT_EQ(refusal.code, stalls ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
  EXPECT_EQ(statuses[0].MPI_ERROR, MPI_SUCCESS);
  EXPECT_EQ(statuses[1].MPI_ERROR, stalls ? int{RONDO_ERR_STALLED} : MPI_SUCCESS);
  EXPECT_EQ(statuses[2].MPI_ERROR, MPI_SUCCESS);
  expect_first_and_third_arrived();
  if (!stalls) return;
  EXPECT_TRUE(refusal.message.starts_with("requests[1]: plan ")) << refusal.message;
  EXPECT_EQ(refusal.values.code, RONDO_ERR_STALLED);
  EXPECT_GE(refusal.values.peer, 0);
}

TEST_P(SeveralBy, WaitallWithoutStatusesGivesTheCodeOfTheOneThatFails) {
  if (world_ranks() == 1) GTEST_SKIP() << "nobody is waited for";
  const bool stalls = start_all_with_a_stalling_one();

  const Refusal refusal = refused(RONDO_Waitall(3, requests.data(), MPI_STATUSES_IGNORE));

  EXPECT_EQ(refusal.code, stalls ? int{RONDO_ERR_STALLED} : MPI_SUCCESS);
  if (stalls) {
    EXPECT_TRUE(refusal.message.starts_with("requests[1]: plan ")) << refusal.message;
  }
  expect_first_and_third_arrived();
}

// ---- Request_get_status ----------------------------------------------------------------------------------------

TEST_P(SeveralBy, GetStatusLeavesTheRequestActive) {
  start(0);
  int flag = 0;
  MPI_Status status = used_status();

  for (; flag == 0; sched_yield()) {
    ASSERT_EQ(RONDO_Request_get_status(requests[0], &flag, &status), MPI_SUCCESS);
  }

  comparisons[0].expect_equal();
  expect_empty(status);
  EXPECT_TRUE(is_active(requests[0]));
  ASSERT_EQ(RONDO_Test(&requests[0], &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(flag, 1);
  comparisons[0].prepare(1);
  ASSERT_EQ(RONDO_Start(&requests[0]), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
  comparisons[0].expect_equal();
}

TEST_P(SeveralBy, GetStatusOfAnInactiveOrNullOneIsComplete) {
  for (const RONDO_Request request : {requests[0], RONDO_Request{RONDO_REQUEST_NULL}}) {
    int flag = 0;
    MPI_Status status = used_status();

    ASSERT_EQ(RONDO_Request_get_status(request, &flag, &status), MPI_SUCCESS);

    EXPECT_EQ(flag, 1);
    expect_empty(status);
  }
}

// ---- Bad arguments ---------------------------------------------------------------------------------------------

TEST_P(SeveralBy, AStaleOneIsRefusedAndNothingIsDone) {
  RONDO_Request stale = RONDO_REQUEST_NULL;
  ASSERT_EQ(Comparison::of(three).init(&stale), MPI_SUCCESS);
  std::array some{requests[0], stale};
  ASSERT_EQ(RONDO_Request_free(&stale), MPI_SUCCESS);
  start(0);
  std::array<int, 2> indices{};
  int number = 0;
  int flag = 0;

  EXPECT_EQ(RONDO_Waitany(2, some.data(), &number, MPI_STATUS_IGNORE), RONDO_ERR_REQUEST);
  EXPECT_EQ(RONDO_Testany(2, some.data(), &number, &flag, MPI_STATUS_IGNORE), RONDO_ERR_REQUEST);
  EXPECT_EQ(RONDO_Waitsome(2, some.data(), &number, indices.data(), MPI_STATUSES_IGNORE), RONDO_ERR_REQUEST);
  EXPECT_EQ(RONDO_Testsome(2, some.data(), &number, indices.data(), MPI_STATUSES_IGNORE), RONDO_ERR_REQUEST);
  EXPECT_EQ(RONDO_Request_get_status(some[1], &flag, MPI_STATUS_IGNORE), RONDO_ERR_REQUEST);

  EXPECT_TRUE(is_active(requests[0]));
  ASSERT_EQ(RONDO_Wait(&requests[0], MPI_STATUS_IGNORE), MPI_SUCCESS);
  comparisons[0].expect_equal();
}

TEST_P(SeveralBy, ANullPointerIsTheSameCodeEverywhere) {
  RONDO_Request *const all = requests.data();
  RONDO_Request &one = requests[0];
  std::array<int, 3> indices{};
  int number = 0;
  int flag = 0;
  MPI_Status *const ignored = MPI_STATUS_IGNORE;
  MPI_Status *const none = MPI_STATUSES_IGNORE;

  const std::vector<int> codes{RONDO_Start(nullptr),
                               RONDO_Startall(1, nullptr),
                               RONDO_Rebind(nullptr, nullptr, nullptr),
                               RONDO_Test(nullptr, &flag, ignored),
                               RONDO_Test(&one, nullptr, ignored),
                               RONDO_Wait(nullptr, ignored),
                               RONDO_Request_get_status(one, nullptr, ignored),
                               RONDO_Testall(1, nullptr, &flag, none),
                               RONDO_Testall(3, all, nullptr, none),
                               RONDO_Waitall(1, nullptr, none),
                               RONDO_Testany(1, nullptr, &number, &flag, ignored),
                               RONDO_Testany(3, all, nullptr, &flag, ignored),
                               RONDO_Testany(3, all, &number, nullptr, ignored),
                               RONDO_Waitany(1, nullptr, &number, ignored),
                               RONDO_Waitany(3, all, nullptr, ignored),
                               RONDO_Testsome(1, nullptr, &number, indices.data(), none),
                               RONDO_Testsome(3, all, nullptr, indices.data(), none),
                               RONDO_Testsome(3, all, &number, nullptr, none),
                               RONDO_Waitsome(1, nullptr, &number, indices.data(), none),
                               RONDO_Waitsome(3, all, nullptr, indices.data(), none),
                               RONDO_Waitsome(3, all, &number, nullptr, none),
                               RONDO_Request_free(nullptr),
                               RONDO_Request_report(one, nullptr, sizeof(RONDO_Report)),
                               RONDO_Request_report_json(one, nullptr, nullptr),
                               RONDO_Comm_size(MPI_COMM_WORLD, nullptr),
                               RONDO_Allgather_sources(MPI_COMM_WORLD, nullptr),
                               RONDO_Neighbor_counts(MPI_COMM_WORLD, nullptr, &number),
                               RONDO_Error_last(nullptr, sizeof(RONDO_Error_values)),
                               RONDO_Error_class(RONDO_ERR_ARG, nullptr),
                               RONDO_Error_string(RONDO_ERR_ARG, nullptr, &number)};

  for (std::size_t i = 0; i < codes.size(); ++i) EXPECT_EQ(codes[i], RONDO_ERR_ARG) << i;
}

TEST_P(SeveralBy, ANullStatusIsRefusedWhereItIsNotTheOneToIgnore) {
  if (MPI_STATUS_IGNORE == nullptr) GTEST_SKIP() << "it is the one to ignore";
  int number = 0;
  std::array<int, 3> indices{};

  EXPECT_EQ(RONDO_Wait(&requests[0], nullptr), RONDO_ERR_ARG);
  EXPECT_EQ(RONDO_Waitall(3, requests.data(), nullptr), RONDO_ERR_ARG);
  EXPECT_EQ(RONDO_Waitany(3, requests.data(), &number, nullptr), RONDO_ERR_ARG);
  EXPECT_EQ(RONDO_Waitsome(3, requests.data(), &number, indices.data(), nullptr), RONDO_ERR_ARG);
}

}  // namespace
}  // namespace rondo
