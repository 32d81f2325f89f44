// rondo_errors=handler: errors reach the error handler of the communicator, with their message.

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

struct Call {
  MPI_Comm comm;
  std::string message;
};

std::vector<Call> &calls() {
  static std::vector<Call> all;
  return all;
}

extern "C" void note_call(MPI_Comm *comm, int *code, ...) {
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(*code, text, &length);
  calls().push_back({*comm, text});
}

// A communicator whose handler notes what it is called with.
class ErrorHandlers : public testing::Test {
 protected:
  ErrorHandlers() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(note_call, &handler_);
    MPI_Comm_set_errhandler(comm, handler_);
    calls().clear();
  }
  ~ErrorHandlers() override {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler_);
  }

  Comparison comparison() { return {sends(three), receives(three), comm}; }

  MPI_Comm comm = MPI_COMM_NULL;
  const Hints to_handler{{"rondo_errors", "handler"}};

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

TEST_F(ErrorHandlers, OfInitOnEveryRank) {
  Comparison bad = comparison();
  if (world_rank() == 0) bad.send.counts[0] = -5;
  RONDO_Request request = RONDO_REQUEST_NULL;

  EXPECT_EQ(bad.init(&request, to_handler), RONDO_ERR_COUNT);

  ASSERT_EQ(calls().size(), 1U);
  EXPECT_EQ(calls()[0].comm, comm);
  EXPECT_EQ(calls()[0].message, "rank 0: the send count for rank 0 is negative: -5");
}

TEST_F(ErrorHandlers, OfInitWithAHintThatIsFaulty) {
  RONDO_Request request = RONDO_REQUEST_NULL;

  EXPECT_EQ(comparison().init(&request, {{"rondo_errors", "handler"}, {"rondo_radix", "x"}}), RONDO_ERR_HINT);

  ASSERT_EQ(calls().size(), 1U);
}

TEST_F(ErrorHandlers, OfAStart) {
  Comparison good = comparison();
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(good.init(&request, to_handler), MPI_SUCCESS);
  good.prepare(0);
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);

  EXPECT_EQ(RONDO_Start(&request), RONDO_ERR_REQUEST);

  ASSERT_EQ(calls().size(), 1U);
  EXPECT_EQ(calls()[0].comm, comm);
  EXPECT_EQ(calls()[0].message, "start of an active request");
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  good.expect_equal();
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  EXPECT_EQ(calls().size(), 1U);
}

TEST_F(ErrorHandlers, OfTheRequestAtFaultAmongSeveral) {
  Comparison good = comparison();
  Comparison other = comparison();
  RONDO_Request requests[2] = {RONDO_REQUEST_NULL, RONDO_REQUEST_NULL};
  ASSERT_EQ(other.init(&requests[0]), MPI_SUCCESS);  // returns its errors
  ASSERT_EQ(good.init(&requests[1], to_handler), MPI_SUCCESS);
  good.prepare(0);
  ASSERT_EQ(RONDO_Start(&requests[1]), MPI_SUCCESS);

  EXPECT_EQ(RONDO_Startall(2, requests), RONDO_ERR_REQUEST);

  EXPECT_EQ(calls().size(), 1U);
  ASSERT_EQ(RONDO_Waitall(2, requests, MPI_STATUSES_IGNORE), MPI_SUCCESS);
  for (RONDO_Request &request : requests) EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

TEST_F(ErrorHandlers, AreNotCalledWithoutTheHint) {
  Comparison bad = comparison();
  bad.send.counts[0] = -5;
  RONDO_Request request = RONDO_REQUEST_NULL;

  EXPECT_EQ(bad.init(&request), RONDO_ERR_COUNT);
  EXPECT_EQ(bad.init(&request, {{"rondo_errors", "return"}}), RONDO_ERR_COUNT);

  EXPECT_TRUE(calls().empty());
}

TEST_F(ErrorHandlers, OfACommunicatorThatHasBeenFreedAreNotCalled) {
  Comparison good = comparison();
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(good.init(&request, to_handler), MPI_SUCCESS);
  MPI_Comm_free(&comm);
  good.prepare(0);
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);

  EXPECT_EQ(RONDO_Start(&request), RONDO_ERR_REQUEST);

  EXPECT_TRUE(calls().empty());
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  good.expect_equal();
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

TEST_F(ErrorHandlers, AnotherValueIsRefused) {
  RONDO_Request request = RONDO_REQUEST_NULL;

  const Refusal refusal = refused(comparison().init(&request, {{"rondo_errors", "abort"}}));

  EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
  EXPECT_EQ(refusal.message, "rank 0: hint rondo_errors of the info: 'abort' is not 'return' or 'handler'");
}

}  // namespace
}  // namespace rondo
