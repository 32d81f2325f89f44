// What a request may go through: started, tested, waited for and freed, in every state that it can be in.

#include <sched.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

void expect_empty(const MPI_Status &status) {
  int count = -1;
  int cancelled = -1;
  MPI_Get_count(&status, MPI_BYTE, &count);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT_EQ(status.MPI_SOURCE, MPI_ANY_SOURCE);
  EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
  EXPECT_EQ(status.MPI_ERROR, MPI_SUCCESS);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(cancelled, 0);
}

// Values that no empty status has.
MPI_Status used_status() {
  MPI_Status status{};
  status.MPI_SOURCE = 5;
  status.MPI_TAG = 6;
  status.MPI_ERROR = MPI_ERR_OTHER;
  MPI_Status_set_elements(&status, MPI_BYTE, 7);
  MPI_Status_set_cancelled(&status, 1);
  return status;
}

// Plans of one step and of several on both wires, and of both kinds of native call.
std::vector<Hints> every_wire() {
  return {by({"linear", "packed"}),
          by({"tuna", "packed"}),
          by({"linear", "shared"}),
          by({"tuna", "shared"}),
          {{"rondo_algorithm", "native"}, {"rondo_native", "persistent"}},
          {{"rondo_algorithm", "native"}, {"rondo_native", "nonblocking"}}};
}

// A plan of several steps, which need a rank to drive them.
class Requests : public testing::TestWithParam<const char *> {
 protected:
  Requests() { EXPECT_EQ(comparison.init(&request, by({"tuna", GetParam()})), MPI_SUCCESS); }
  ~Requests() override {
    if (request == RONDO_REQUEST_NULL) return;
    EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  }

  Comparison comparison = Comparison::of(varied);
  RONDO_Request request = RONDO_REQUEST_NULL;
};

INSTANTIATE_TEST_SUITE_P(, Requests, testing::Values("packed", "shared"),
                         [](const auto &test) { return std::string(test.param); });

// ---- Start -------------------------------------------------------------------------------------------------

TEST_P(Requests, StartOfAnActiveOneIsRefused) {
  comparison.prepare(0);
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);

  const Refusal refusal = refused(RONDO_Start(&request));

  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refusal.message, "start of an active request");
  EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  comparison.expect_equal();
}

TEST_P(Requests, StartOfANullOneIsRefused) {
  RONDO_Request null = RONDO_REQUEST_NULL;

  EXPECT_EQ(refused(RONDO_Start(&null)).code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refused(RONDO_Startall(1, &null)).code, RONDO_ERR_REQUEST);
}

TEST_P(Requests, StartallOfNone) {
  EXPECT_EQ(RONDO_Startall(0, nullptr), MPI_SUCCESS);
  EXPECT_EQ(RONDO_Waitall(0, nullptr, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(refused(RONDO_Startall(-1, &request)).code, RONDO_ERR_ARG);
}

// Three plans of one communicator, and the handles of all.
class SeveralRequests : public testing::Test {
 protected:
  SeveralRequests() {
    for (Comparison &comparison : comparisons) plans.push_back(comparison.plan());
  }
  [[nodiscard]] std::array<RONDO_Request, 3> handles() const {
    return {plans[0].native(), plans[1].native(), plans[2].native()};
  }
  // None has been started: each can be, and moves its data.
  void expect_all_inactive() {
    for (std::size_t i = 0; i < plans.size(); ++i) comparisons[i].expect_restarts(plans[i], 1);
  }

  std::vector<Comparison> comparisons{3, Comparison::of(varied)};
  std::vector<Request> plans;
};

TEST_F(SeveralRequests, StartallWithANullOneStartsNone) {
  auto requests = handles();
  requests[1] = RONDO_REQUEST_NULL;

  const Refusal refusal = refused(RONDO_Startall(3, requests.data()));

  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refusal.message, "start of a null request");
  expect_all_inactive();
}

TEST_F(SeveralRequests, StartallOfOneTwiceStartsNone) {
  auto requests = handles();
  requests[2] = requests[0];

  const Refusal refusal = refused(RONDO_Startall(3, requests.data()));

  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refusal.message, "start of an active request");
  expect_all_inactive();
}

TEST_F(SeveralRequests, StartallWithAnActiveOneStartsNoneAndLeavesThatOneActive) {
  auto requests = handles();
  comparisons[2].prepare(0);
  ASSERT_EQ(RONDO_Start(&requests[2]), MPI_SUCCESS);

  EXPECT_EQ(refused(RONDO_Startall(3, requests.data())).message, "start of an active request");

  EXPECT_EQ(refused(RONDO_Request_free(&requests[2])).message, "free of an active request");
  ASSERT_EQ(RONDO_Wait(&requests[2], MPI_STATUS_IGNORE), MPI_SUCCESS);
  comparisons[2].expect_equal();
  expect_all_inactive();
}

// ---- A copy of a handle that has been freed ----------------------------------------------------------------

void expect_stale(int code) {
  const Refusal refusal = refused(code);
  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refusal.message, "the request is none: it has been freed, or was never made");
}

void expect_refused_everywhere(RONDO_Request stale, void *send, void *receive) {
  int flag = 0;
  RONDO_Report report{};
  expect_stale(RONDO_Start(&stale));
  expect_stale(RONDO_Startall(1, &stale));
  expect_stale(RONDO_Test(&stale, &flag, MPI_STATUS_IGNORE));
  expect_stale(RONDO_Testall(1, &stale, &flag, MPI_STATUSES_IGNORE));
  expect_stale(RONDO_Wait(&stale, MPI_STATUS_IGNORE));
  expect_stale(RONDO_Waitall(1, &stale, MPI_STATUSES_IGNORE));
  expect_stale(RONDO_Rebind(&stale, send, receive));
  expect_stale(RONDO_Request_free(&stale));
  expect_stale(RONDO_Request_buffers(stale, &send, &receive));
  expect_stale(RONDO_Request_report(stale, &report, sizeof(report)));
  expect_stale(RONDO_Request_report_json(stale, nullptr, &flag));
}

TEST_P(Requests, ACopyOfAFreedOneIsRefused) {
  const RONDO_Request stale = request;
  ASSERT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);

  expect_refused_everywhere(stale, comparison.send_buffer.base(), comparison.receive_buffer.base());
}

// Whatever of the freed one's is used again.
TEST_P(Requests, ACopyOfAFreedOneIsRefusedWhenOthersHaveBeenMadeSince) {
  std::vector<RONDO_Request> stale;
  for (int made = 0; made < 20; ++made) {
    stale.push_back(request);
    ASSERT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
    ASSERT_EQ(comparison.init(&request, by({"tuna", GetParam()})), MPI_SUCCESS);
  }

  for (const RONDO_Request each : stale) {
    expect_refused_everywhere(each, comparison.send_buffer.base(), comparison.receive_buffer.base());
  }
  Request plan(std::exchange(request, RONDO_REQUEST_NULL));
  comparison.expect_restarts(plan);
}

TEST_P(Requests, WhatWasNeverARequestIsRefused) {
  int on_the_stack = 0;

  for (const std::uintptr_t bits : {std::uintptr_t{1}, std::uintptr_t{1} << 32, ~std::uintptr_t{0},
                                    reinterpret_cast<std::uintptr_t>(&on_the_stack)}) {
    expect_stale(RONDO_Wait(std::array{reinterpret_cast<RONDO_Request>(bits)}.data(), MPI_STATUS_IGNORE));
  }
}

TEST_F(SeveralRequests, WaitallWithAStaleOneWaitsForNone) {
  auto requests = handles();
  RONDO_Request stale = plans[1].native();
  plans[1] = comparisons[1].plan();
  std::swap(requests[1], stale);
  comparisons[0].prepare(0);
  plans[0].start();

  EXPECT_EQ(refused(RONDO_Waitall(3, requests.data(), MPI_STATUSES_IGNORE)).code, RONDO_ERR_REQUEST);

  EXPECT_EQ(refused(RONDO_Request_free(&requests[0])).message, "free of an active request");
  plans[0].wait();
  comparisons[0].expect_equal();
}

// More than the table of a process has room for at first.
TEST(ManyRequests, AreToldApart) {
  std::vector<Comparison> comparisons(100, Comparison::of(three));
  std::vector<Request> plans;

  for (Comparison &comparison : comparisons) plans.push_back(comparison.plan());

  for (std::size_t i = 0; i < plans.size(); ++i) {
    EXPECT_EQ(plans[i].receive_buffer<void>(), comparisons[i].receive_buffer.base()) << i;
    comparisons[i].expect_restarts(plans[i], 1);
  }
}

// ---- Wait and test -----------------------------------------------------------------------------------------

TEST_P(Requests, WaitGivesAnEmptyStatus) {
  MPI_Status status = used_status();

  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Wait(&request, &status), MPI_SUCCESS);

  expect_empty(status);
}

TEST_P(Requests, WaitForAnInactiveOneReturnsAtOnce) {
  MPI_Status status = used_status();

  EXPECT_EQ(RONDO_Wait(&request, &status), MPI_SUCCESS);

  expect_empty(status);
}

TEST_P(Requests, WaitForANullOneReturnsAtOnce) {
  RONDO_Request null = RONDO_REQUEST_NULL;
  MPI_Status status = used_status();

  EXPECT_EQ(RONDO_Wait(&null, &status), MPI_SUCCESS);

  expect_empty(status);
}

TEST_P(Requests, TestOfAnInactiveOrNullOneIsTrue) {
  RONDO_Request null = RONDO_REQUEST_NULL;
  for (RONDO_Request *each : {&request, &null}) {
    MPI_Status status = used_status();
    int flag = 0;

    EXPECT_EQ(RONDO_Test(each, &flag, &status), MPI_SUCCESS);

    EXPECT_EQ(flag, 1);
    expect_empty(status);
  }
}

TEST_P(Requests, TestLoopCompletesAllSteps) {
  for (int round = 0; round < 3; ++round) {
    comparison.prepare(round);
    MPI_Status status = used_status();
    int flag = 0;

    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    for (; flag == 0; sched_yield()) ASSERT_EQ(RONDO_Test(&request, &flag, &status), MPI_SUCCESS);

    expect_empty(status);
    comparison.expect_equal();
  }
}

TEST_P(Requests, StartAgainAfterATest) {
  comparison.prepare(0);
  int flag = 0;

  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  while (flag == 0) ASSERT_EQ(RONDO_Test(&request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);

  comparison.expect_equal();
}

TEST_P(Requests, WaitallGivesEmptyStatuses) {
  Comparison second_comparison = Comparison::of(three);
  Request second = second_comparison.plan();
  std::array requests{request, RONDO_Request{RONDO_REQUEST_NULL}, second.native()};
  std::array statuses{used_status(), used_status(), used_status()};
  ASSERT_EQ(RONDO_Start(&requests[0]), MPI_SUCCESS);

  ASSERT_EQ(RONDO_Waitall(3, requests.data(), statuses.data()), MPI_SUCCESS);

  for (const MPI_Status &status : statuses) expect_empty(status);
}

TEST_P(Requests, TestallGivesEmptyStatuses) {
  std::array requests{RONDO_Request{RONDO_REQUEST_NULL}, request};
  std::array statuses{used_status(), used_status()};
  int flag = 0;
  ASSERT_EQ(RONDO_Start(&requests[1]), MPI_SUCCESS);

  while (flag == 0) ASSERT_EQ(RONDO_Testall(2, requests.data(), &flag, statuses.data()), MPI_SUCCESS);

  for (const MPI_Status &status : statuses) expect_empty(status);
}

// ---- Free --------------------------------------------------------------------------------------------------

TEST_P(Requests, FreeOfAnActiveOneIsRefusedAndLeavesItUsable) {
  comparison.prepare(0);
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);

  const Refusal refusal = refused(RONDO_Request_free(&request));

  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refusal.message, "free of an active request");
  ASSERT_NE(request, RONDO_REQUEST_NULL);
  EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  comparison.expect_equal();
}

TEST_P(Requests, FreeSetsTheHandleToNull) {
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
}

TEST_P(Requests, FreeOfANullOneIsRefused) {
  RONDO_Request null = RONDO_REQUEST_NULL;

  EXPECT_EQ(refused(RONDO_Request_free(&null)).code, RONDO_ERR_REQUEST);
}

TEST(Communicator, FreedBeforeItsPlans) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<Comparison> comparisons(every_wire().size(), {sends(varied), receives(varied), comm});
  std::vector<Request> plans;
  for (const Hints &hints : every_wire()) plans.push_back(comparisons[plans.size()].plan(hints));

  MPI_Comm_free(&comm);

  for (std::size_t i = 0; i < plans.size(); ++i) comparisons[i].expect_restarts(plans[i]);
  if (world_rank() % 2 == 1) std::reverse(plans.begin(), plans.end());
  for (Request &plan : plans) plan = Request();  // freed in different orders
}

// ---- Questions ---------------------------------------------------------------------------------------------

TEST_P(Requests, Report) {
  RONDO_Report report{};

  ASSERT_EQ(RONDO_Request_report(request, &report, sizeof(report)), MPI_SUCCESS);

  EXPECT_STREQ(report.algorithm, "tuna");
  EXPECT_EQ(report.ranks, world_ranks());
  EXPECT_EQ(report.radix, 2);
  EXPECT_EQ(report.block_count, 0);
  EXPECT_EQ(report.leaders, 0);
  EXPECT_STREQ(report.pattern, "");
  EXPECT_STREQ(report.wire, world_ranks() == 1 ? "none" : GetParam());
  EXPECT_GE(report.init_seconds, 0);
  EXPECT_GE(report.predicted_seconds, 0);
}

TEST_P(Requests, ReportCountsWhatIsSent) {
  Comparison equal = Comparison::of(three);
  Request plan = equal.plan(by("linear"));

  const RONDO_Report report = plan.report();

  EXPECT_EQ(report.steps, world_ranks() > 1 ? 1 : 0);
  EXPECT_EQ(report.messages, world_ranks() - 1);
  EXPECT_EQ(report.block_moves, world_ranks() - 1);
  EXPECT_EQ(report.bytes, (world_ranks() - 1) * 3 * static_cast<int>(sizeof(int)));
  EXPECT_EQ(report.scratch_bytes, 0);
  EXPECT_EQ(report.staging_bytes, 0);
}

// As a program built with an older header, or with a newer one, asks.
TEST_P(Requests, ReportIsAsLongAsTheProgramHasIt) {
  struct Longer {
    RONDO_Report known;
    long long unknown;
  };
  Longer longer;
  std::memset(static_cast<void *>(&longer), 0x5a, sizeof(longer));
  const Longer before = longer;

  ASSERT_EQ(RONDO_Request_report(request, &longer.known, sizeof(longer.known)), MPI_SUCCESS);
  const long long untouched = longer.unknown;
  ASSERT_EQ(RONDO_Request_report(request, &longer.known, sizeof(longer)), MPI_SUCCESS);
  const Refusal refusal = refused(RONDO_Request_report(request, &longer.known, sizeof(void *)));

  EXPECT_EQ(untouched, before.unknown);
  EXPECT_EQ(longer.unknown, 0);
  EXPECT_STREQ(longer.known.algorithm, "tuna");
  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
}

TEST_P(Requests, ErrorValuesAreAsLongAsTheProgramHasThem) {
  struct Longer {
    RONDO_Error_values known;
    long long unknown;
  };
  Longer longer{{0, 0, 0, 0, 0}, 5};
  RONDO_Start(nullptr);

  ASSERT_EQ(RONDO_Error_last(&longer.known, sizeof(longer.known)), MPI_SUCCESS);
  const long long untouched = longer.unknown;
  ASSERT_EQ(RONDO_Error_last(&longer.known, sizeof(longer)), MPI_SUCCESS);

  EXPECT_EQ(untouched, 5);
  EXPECT_EQ(longer.unknown, -1);
  EXPECT_EQ(longer.known.code, RONDO_ERR_ARG);
  EXPECT_EQ(RONDO_Error_last(&longer.known, 4), RONDO_ERR_ARG);
}

TEST_P(Requests, ReportAsJson) {
  RONDO_Report report{};
  RONDO_Request_report(request, &report, sizeof(report));
  int length = 0;
  ASSERT_EQ(RONDO_Request_report_json(request, nullptr, &length), MPI_SUCCESS);
  std::string text(static_cast<std::size_t>(length) + 1, '?');
  int room = length + 1;

  ASSERT_EQ(RONDO_Request_report_json(request, text.data(), &room), MPI_SUCCESS);

  EXPECT_EQ(room, length);
  EXPECT_EQ(text[static_cast<std::size_t>(length)], '\0');
  const auto json = nlohmann::json::parse(text.c_str());
  EXPECT_EQ(json.size(), 18U);
  EXPECT_EQ(json["reused"], report.reused != 0);
  EXPECT_EQ(json["algorithm"], "tuna");
  EXPECT_EQ(json["radix"], report.radix);
  EXPECT_EQ(json["leaders"], 0);
  EXPECT_EQ(json["pattern"], "");
  EXPECT_EQ(json["wire"], report.wire);
  EXPECT_EQ(json["progress"], "caller");
  EXPECT_EQ(json["ranks"], world_ranks());
  EXPECT_EQ(json["steps"], report.steps);
  EXPECT_EQ(json["messages"], report.messages);
  EXPECT_EQ(json["bytes"], report.bytes);
  EXPECT_EQ(json["scratch_bytes"], report.scratch_bytes);
  EXPECT_EQ(json["staging_bytes"], report.staging_bytes);
  EXPECT_EQ(json["predicted_seconds"], report.predicted_seconds);
}

TEST_P(Requests, JsonWithTooLittleRoom) {
  char text[16];
  int room = sizeof(text);

  const Refusal refusal = refused(RONDO_Request_report_json(request, text, &room));

  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
  EXPECT_EQ(refusal.values.value, 16);
  EXPECT_EQ(refusal.values.other, room + 1);
}

TEST_P(Requests, QuestionsToANullOneAreRefused) {
  RONDO_Report report{};
  int length = 0;

  EXPECT_EQ(refused(RONDO_Request_report(RONDO_REQUEST_NULL, &report, sizeof(report))).code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refused(RONDO_Request_report(request, nullptr, sizeof(report))).code, RONDO_ERR_ARG);
  EXPECT_EQ(refused(RONDO_Request_report_json(RONDO_REQUEST_NULL, nullptr, &length)).code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refused(RONDO_Request_report_json(request, nullptr, nullptr)).code, RONDO_ERR_ARG);
}

TEST(ErrorString, OfACodeThatIsNotTheLastOne) {
  RONDO_Start(nullptr);  // its message is not that of other codes
  char text[RONDO_MAX_ERROR_STRING];
  int length = 0;

  ASSERT_EQ(RONDO_Error_string(RONDO_ERR_OVERLAP, text, &length), MPI_SUCCESS);

  EXPECT_STREQ(text, "receive ranges overlap, or what is sent is overwritten");
  EXPECT_EQ(length, 54);
  EXPECT_EQ(RONDO_Error_string(RONDO_ERR_OVERLAP, nullptr, &length), RONDO_ERR_ARG);
}

TEST(ErrorClass, OfEveryCode) {
  const std::vector<std::pair<int, int>> expected{{MPI_SUCCESS, MPI_SUCCESS},
                                                  {MPI_ERR_IN_STATUS, MPI_ERR_IN_STATUS},
                                                  {RONDO_ERR_COUNT, MPI_ERR_COUNT},
                                                  {RONDO_ERR_BUFFER, MPI_ERR_BUFFER},
                                                  {RONDO_ERR_OVERLAP, MPI_ERR_BUFFER},
                                                  {RONDO_ERR_TYPE, MPI_ERR_TYPE},
                                                  {RONDO_ERR_COMM, MPI_ERR_COMM},
                                                  {RONDO_ERR_REQUEST, MPI_ERR_REQUEST},
                                                  {RONDO_ERR_HINT, MPI_ERR_INFO_VALUE},
                                                  {RONDO_ERR_ALGORITHM, MPI_ERR_UNSUPPORTED_OPERATION},
                                                  {RONDO_ERR_MISMATCH, MPI_ERR_TRUNCATE},
                                                  {RONDO_ERR_NO_MEMORY, MPI_ERR_NO_MEM},
                                                  {RONDO_ERR_MPI, MPI_ERR_OTHER},
                                                  {RONDO_ERR_ARG, MPI_ERR_ARG},
                                                  {RONDO_ERR_INTERNAL, MPI_ERR_OTHER},
                                                  {RONDO_ERR_STALLED, MPI_ERR_OTHER},
                                                  {RONDO_ERR_CAPACITY, MPI_ERR_TRUNCATE}};

  for (const auto &[code, error_class] : expected) {
    int given = -1;
    EXPECT_EQ(RONDO_Error_class(code, &given), MPI_SUCCESS) << code;
    EXPECT_EQ(given, error_class) << code;
  }
  int untouched = -1;
  EXPECT_EQ(RONDO_Error_class(RONDO_ERR_CAPACITY + 1, &untouched), RONDO_ERR_ARG);
  EXPECT_EQ(untouched, -1);
}

TEST(ErrorString, OfEveryCode) {
  for (int code = RONDO_ERR_COUNT; code <= RONDO_ERR_CAPACITY; ++code) {
    EXPECT_NE(refused(code).message, "not an error code of Rondo") << code;
  }
  EXPECT_EQ(refused(RONDO_ERR_CAPACITY + 1).message, "not an error code of Rondo");
}

}  // namespace
}  // namespace rondo
