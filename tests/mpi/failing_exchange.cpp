// Every call of MPI's that a start, a wait, a test, a rebind or a free makes fails once, on one rank: that rank gets
// the error, the others are told by their timeout, nothing is written that no argument names, and other plans go on.

#include <optional>
#include <string_view>
#include <vector>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace {

// Calls until the one that fails; none fails while it is negative.
constinit int calls_until_failure = -1;
constinit const char *failed_call = nullptr;

bool fails(const char *call) {
  if (calls_until_failure < 0) return false;
  if (calls_until_failure-- > 0) return false;
  failed_call = call;
  return true;
}

}  // namespace

// Those of the exchange's calls, not those of an init.
#pragma GCC visibility push(default)
extern "C" {
#define RONDO_FAILING(name, parameters, arguments)                      \
  int MPI_##name parameters {                                           \
    return fails("MPI_" #name) ? MPI_ERR_OTHER : PMPI_##name arguments; \
  }

RONDO_FAILING(Start, (MPI_Request * request), (request))
RONDO_FAILING(Startall, (int count, MPI_Request requests[]), (count, requests))
RONDO_FAILING(Isend,
              (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request),
              (from, count, type, to, tag, comm, request))
RONDO_FAILING(Test, (MPI_Request * request, int *flag, MPI_Status *status), (request, flag, status))
RONDO_FAILING(Testall, (int count, MPI_Request requests[], int *flag, MPI_Status statuses[]),
              (count, requests, flag, statuses))
RONDO_FAILING(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses))
RONDO_FAILING(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
              (source, tag, comm, flag, status))
RONDO_FAILING(Sendrecv,
              (const void *from, int sends, MPI_Datatype sent, int to_rank, int send_tag, void *to, int receives,
               MPI_Datatype received, int from_rank, int receive_tag, MPI_Comm comm, MPI_Status *status),
              (from, sends, sent, to_rank, send_tag, to, receives, received, from_rank, receive_tag, comm, status))
RONDO_FAILING(Ialltoallv,
              (const void *from, const int sends[], const int send_at[], MPI_Datatype sent, void *to,
               const int receives[], const int receive_at[], MPI_Datatype received, MPI_Comm comm,
               MPI_Request *request),
              (from, sends, send_at, sent, to, receives, receive_at, received, comm, request))
RONDO_FAILING(Pack, (const void *from, int count, MPI_Datatype type, void *to, int size, int *position, MPI_Comm comm),
              (from, count, type, to, size, position, comm))
RONDO_FAILING(Unpack,
              (const void *from, int size, int *position, void *to, int count, MPI_Datatype type, MPI_Comm comm),
              (from, size, position, to, count, type, comm))
RONDO_FAILING(Request_get_status, (MPI_Request request, int *flag, MPI_Status *status), (request, flag, status))
RONDO_FAILING(Cancel, (MPI_Request * request), (request))
RONDO_FAILING(Request_free, (MPI_Request * request), (request))
RONDO_FAILING(Type_free, (MPI_Datatype * type), (type))
RONDO_FAILING(Send_init,
              (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request),
              (from, count, type, to, tag, comm, request))
RONDO_FAILING(Recv_init,
              (void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request),
              (to, count, type, from, tag, comm, request))
RONDO_FAILING(Type_commit, (MPI_Datatype * type), (type))
#undef RONDO_FAILING
}
#pragma GCC visibility pop

namespace rondo {
namespace {

// While one lives, that call from now on fails on the last rank, and no other.
class Failure {
 public:
  explicit Failure(int call) {
    failed_call = nullptr;
    calls_until_failure = world_rank() == world_ranks() - 1 ? call : -1;
  }
  ~Failure() { calls_until_failure = -1; }
  Failure(const Failure &) = delete;
  Failure &operator=(const Failure &) = delete;
};

Hints with_timeout(const Way &way) {
  Hints hints = by(way);
  hints.set("rondo_stall_timeout", "0.2");
  return hints;
}

class FailingExchange : public testing::TestWithParam<Way> {
 protected:
  // On a communicator of its own, so that what is left over meets nobody; it is not freed, as messages may be on it.
  void plan() {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    comparison.emplace(sends(varied, {.gap = 2}), receives(varied, {.gap = 1}), comm);
    comparison->prepare(1);
    ASSERT_EQ(comparison->init(&request, with_timeout(GetParam())), MPI_SUCCESS);
  }

  // Whether any rank has had the call fail: below that number there are calls to try.
  static bool any_failed() {
    int any = failed_call != nullptr ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return any != 0;
  }

  void expect_nothing_else_written(const Comparison &before) const {
    EXPECT_EQ(comparison->send_buffer.difference(before.send_buffer), "");
    EXPECT_TRUE(comparison->receive_buffer.guards_are_as_in(before.receive_buffer));
  }

  static void expect_told(int code) {
    const Refusal refusal = refused(code);
    if (failed_call == nullptr) {
      EXPECT_TRUE(code == MPI_SUCCESS || code == RONDO_ERR_STALLED) << refusal.message;
    } else if (code != MPI_SUCCESS) {  // some are only asked to make progress
      EXPECT_EQ(code, RONDO_ERR_MPI) << refusal.message;
      EXPECT_TRUE(refusal.message.starts_with(std::string(failed_call) + " failed: ")) << refusal.message;
    }
  }

  static bool native() { return std::string_view(GetParam().algorithm) == "native"; }

  // What MPI does not take back, as it never does a collective, the free tells of.
  void expect_freed() {
    const int code = RONDO_Request_free(&request);
    EXPECT_TRUE(code == MPI_SUCCESS || (code == RONDO_ERR_STALLED && (native() || failed_call != nullptr)))
        << refused(code).message;
    EXPECT_EQ(request, RONDO_REQUEST_NULL);
  }

  std::optional<Comparison> comparison;
  RONDO_Request request = RONDO_REQUEST_NULL;
};

INSTANTIATE_TEST_SUITE_P(, FailingExchange,
                         testing::ValuesIn(std::vector<Way>{{"spread_out", "packed"},
                                                            {"tuna", "packed"},
                                                            {"tuna", "datatype"},
                                                            {"spread_out", "shared"},
                                                            {"tuna", "shared"},
                                                            {"tuna_hierarchical", "mixed"},
                                                            {"native", "auto"}}),
                         way_name);

// Until a number is reached that no call has.
constexpr int most_calls = 60;

TEST_P(FailingExchange, EveryCallOfAStartAndItsWait) {
  for (int call = 0; call < most_calls; ++call) {
    plan();
    const Comparison before = *comparison;
    bool failed = false;
    {
      const Failure failure(call);

      int code = RONDO_Start(&request);
      if (code == MPI_SUCCESS) code = RONDO_Wait(&request, MPI_STATUS_IGNORE);

      expect_told(code);
      failed = any_failed();
    }
    expect_nothing_else_written(before);
    expect_freed();
    if (!failed) return;
  }
}

TEST_P(FailingExchange, EveryCallOfAFreeAfterAStall) {
  const int calls = native() ? 3 : most_calls;  // which a free of its plans makes until its grace is over
  for (int call = 0; call < calls; ++call) {
    plan();
    const Comparison before = *comparison;
    const bool late = world_rank() == 0;
    if (!late) {
      ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
      EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);
    }
    bool failed = false;
    {
      const Failure failure(call);

      expect_freed();

      failed = any_failed();
    }
    expect_nothing_else_written(before);
    if (!failed) return;
  }
}

TEST_P(FailingExchange, EveryCallOfARebindLeavesThePlanAsItWas) {
  if (native()) GTEST_SKIP() << "its rebind is collective";
  for (int call = 0; call < most_calls; ++call) {
    plan();
    std::vector<std::byte> other(4096);
    int code = MPI_SUCCESS;
    bool failed = false;
    {
      const Failure failure(call);

      code = RONDO_Rebind(&request, other.data() + 1024, other.data() + 2048);

      failed = any_failed();
    }
    expect_told(code);
    ASSERT_EQ(RONDO_Rebind(&request, comparison->send_base(), comparison->receive_buffer.base()), MPI_SUCCESS);
    EXPECT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    comparison->expect_equal();
    EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
    if (!failed) return;
  }
}

}  // namespace
}  // namespace rondo
