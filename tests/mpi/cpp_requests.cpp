// Requests of rondo.hpp: several at once, other buffers, ownership, and an exception type for each code.

#include <sched.h>

#include <array>
#include <memory>
#include <set>
#include <stdexcept>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"
#include "tests/mpi/thrown.hpp"

namespace rondo {
namespace {

// ---- Several ---------------------------------------------------------------------------------------------------

class CppSeveral : public testing::Test {
 protected:
  CppSeveral() {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      plans[i] = comparisons[i].plan(by({"tuna", "packed"}));
      comparisons[i].prepare(static_cast<int>(i));
    }
  }
  void expect_all_arrived() {
    for (const Comparison &comparison : comparisons) comparison.expect_equal();
  }

  std::vector<Comparison> comparisons{3, Comparison::of(varied)};
  std::array<Request, 3> plans;
};

TEST_F(CppSeveral, WaitAll) {
  start_all(plans);
  wait_all(plans);

  expect_all_arrived();
}

TEST_F(CppSeveral, TestAll) {
  start_all(plans);
  while (!test_all(plans)) sched_yield();

  expect_all_arrived();
}

TEST_F(CppSeveral, WaitAnyUntilNoneIsActive) {
  std::set<std::size_t> completed;
  start_all(plans);

  while (const auto index = wait_any(plans)) completed.insert(*index);

  EXPECT_EQ(completed, (std::set<std::size_t>{0, 1, 2}));
  expect_all_arrived();
}

TEST_F(CppSeveral, TestAny) {
  std::set<std::size_t> completed;
  start_all(plans);

  for (; completed.size() < 3; sched_yield()) {
    if (const auto index = test_any(plans)) completed.insert(*index);
  }

  EXPECT_EQ(test_any(plans), std::nullopt);
  expect_all_arrived();
}

TEST_F(CppSeveral, WaitSomeAndTestSome) {
  std::set<int> completed;
  start_all(plans);

  for (const int index : wait_some(plans)) completed.insert(index);
  for (; completed.size() < 3; sched_yield()) {
    for (const int index : test_some(plans)) completed.insert(index);
  }

  EXPECT_TRUE(wait_some(plans).empty());
  EXPECT_TRUE(test_some(plans).empty());
  expect_all_arrived();
}

TEST_F(CppSeveral, StartAllWithAnActiveOneStartsNone) {
  plans[2].start();

  EXPECT_THROW(start_all(plans), RequestError);

  plans[2].wait();
  start_all(plans);
  wait_all(plans);
  expect_all_arrived();
}

TEST_F(CppSeveral, EmptyOnesArePassedOver) {
  std::array<Request, 2> none;

  wait_all(none);

  EXPECT_TRUE(test_all(none));
  EXPECT_EQ(wait_any(none), std::nullopt);
  EXPECT_THROW(start_all(none), RequestError);
}

// ---- One -------------------------------------------------------------------------------------------------------

TEST(CppRequests, RebindMovesToOtherBuffers) {
  Comparison first = Comparison::of(varied);
  Comparison second = Comparison::of(varied);
  Request plan = first.plan();

  plan.rebind(second.send_buffer.base(), second.receive_buffer.base());
  second.expect_restarts(plan, 1);
  plan.rebind(first.send_buffer.base(), first.receive_buffer.base());
  first.expect_restarts(plan, 1);

  EXPECT_THROW(plan.rebind(MPI_IN_PLACE, first.receive_buffer.base()), BufferError);
  EXPECT_THROW(Request().rebind(nullptr, nullptr), RequestError);
}

TEST(CppRequests, IsCompleteLeavesItActive) {
  Comparison comparison = Comparison::of(varied);
  Request plan = comparison.plan();
  comparison.prepare(0);
  plan.start();

  while (!plan.is_complete()) sched_yield();

  EXPECT_THROW(plan.start(), RequestError);
  plan.wait();
  comparison.expect_equal();
  EXPECT_TRUE(Request().is_complete());
}

TEST(CppRequests, WhatIsAssignedOverIsFreedAndWhatIsMovedFromIsEmpty) {
  Comparison comparison = Comparison::of(varied);
  Request kept = comparison.plan();
  Request replaced = comparison.plan();
  RONDO_Request handle = replaced.native();

  replaced = std::move(kept);

  EXPECT_FALSE(kept);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(refused(RONDO_Start(&handle)).message, "the request is none: it has been freed, or was never made");
  comparison.expect_restarts(replaced, 1);
  Request &same = replaced;
  replaced = std::move(same);
  comparison.expect_restarts(replaced, 1);
}

// ---- Exceptions ------------------------------------------------------------------------------------------------

// All ranks refuse an init with this code, as the interface does with spans that are too short.
void refuse(int code) {
  const RONDO_Error_values values{code, -1, 3, 7, 8};
  detail::check(RONDO_Refuse_init(MPI_COMM_WORLD, MPI_INFO_NULL, &values, sizeof(values), "for a test"));
}

TEST(CppErrors, ATypeForEveryCode) {
  EXPECT_THROW(refuse(RONDO_ERR_COUNT), CountError);
  EXPECT_THROW(refuse(RONDO_ERR_BUFFER), BufferError);
  EXPECT_THROW(refuse(RONDO_ERR_OVERLAP), OverlapError);
  EXPECT_THROW(refuse(RONDO_ERR_TYPE), DatatypeError);
  EXPECT_THROW(refuse(RONDO_ERR_COMM), CommunicatorError);
  EXPECT_THROW(refuse(RONDO_ERR_REQUEST), RequestError);
  EXPECT_THROW(refuse(RONDO_ERR_HINT), HintError);
  EXPECT_THROW(refuse(RONDO_ERR_ALGORITHM), AlgorithmError);
  EXPECT_THROW(refuse(RONDO_ERR_MISMATCH), MismatchError);
  EXPECT_THROW(refuse(RONDO_ERR_NO_MEMORY), MemoryError);
  EXPECT_THROW(refuse(RONDO_ERR_ARG), ArgumentError);
  EXPECT_THROW(refuse(RONDO_ERR_INTERNAL), InternalError);
  EXPECT_EQ(thrown<MpiError>([] { refuse(RONDO_ERR_MPI); })->mpi_code, 7);
  EXPECT_EQ(thrown<StalledError>([] { refuse(RONDO_ERR_STALLED); })->peer, 3);
}

TEST(CppErrors, HaveTheClassOfMpi) {
  EXPECT_EQ(thrown<Error>([] { refuse(RONDO_ERR_MISMATCH); })->error_class(), MPI_ERR_TRUNCATE);
  EXPECT_EQ(thrown<Error>([] { refuse(RONDO_ERR_COMM); })->error_class(), MPI_ERR_COMM);
}

// A plan that one rank alone has not started, on a communicator that is not freed, as messages may be left on it.
class CppStalls : public testing::Test {
 protected:
  CppStalls() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    comparison = Comparison(sends(three), receives(three), comm_);
    plan = comparison.plan({{"rondo_wire", "packed"}, {"rondo_stall_timeout", "0.2"}});
    if (stalls) plan.start();
  }
  ~CppStalls() override { MPI_Barrier(MPI_COMM_WORLD); }

  const bool stalls = world_rank() + 1 < world_ranks();
  Comparison comparison = Comparison::of(none);
  Request plan;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

TEST_F(CppStalls, ADestructorThatCannotCompleteSaysSo) {
  testing::internal::CaptureStderr();
  {
    const Request dying = std::move(plan);
  }
  const std::string said = testing::internal::GetCapturedStderr();

  if (stalls) {
    EXPECT_TRUE(said.starts_with("Rondo: a rondo::Request could not be completed: plan ")) << said;
  } else {
    EXPECT_EQ(said, "");
  }
}

TEST_F(CppStalls, WaitAllThrowsTheErrorOfTheOneThatHasStalled) {
  Comparison good = Comparison::of(three);
  std::array plans{std::move(plan), good.plan()};
  good.prepare(0);
  plans[1].start();

  if (stalls) {
    const auto fault = thrown<StalledError>([&] { wait_all(plans); });
    EXPECT_EQ(fault->code(), RONDO_ERR_STALLED);
    EXPECT_GE(fault->peer, 0);
    EXPECT_TRUE(std::string(fault->what()).starts_with("requests[0]: plan ")) << fault->what();
  } else {
    wait_all(plans);
  }

  good.expect_equal();
}

}  // namespace
}  // namespace rondo
