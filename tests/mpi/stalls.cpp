// rondo_stall_timeout: who waits in vain is told for which plan, in which step, for whom and for how long.

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <thread>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/each_for_itself.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

int hundreds(int, int) {
  return 256;
}
int a_mebibyte(int, int) {
  return 1 << 18;
}

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

// A plan on a communicator of its own, which is not freed: messages that nobody has received are left on it, and MPI
// would give them to the next communicator.
class Stalls : public testing::TestWithParam<Way> {
 protected:
  Stalls() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_set_name(comm_, "fields");
  }
  ~Stalls() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (request != RONDO_REQUEST_NULL) RONDO_Request_free(&request);
  }

  void plan(const char *timeout, CountRule rule = three) {
    Hints hints = by(GetParam());
    hints.set("rondo_stall_timeout", timeout);
    comparison = Comparison(sends(rule), receives(rule), comm_);
    ASSERT_EQ(comparison.init(&request, hints), MPI_SUCCESS);
  }

  RONDO_Request request = RONDO_REQUEST_NULL;
  const int last = world_ranks() - 1;
  Comparison comparison = Comparison::of(none);

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

INSTANTIATE_TEST_SUITE_P(
    , Stalls,
    testing::ValuesIn(std::vector<Way>{
        {"spread_out", "packed"}, {"spread_out", "shared"}, {"tuna", "packed"}, {"tuna", "shared"}}),
    way_name);

TEST_P(Stalls, NameThePlanTheStepThePeersAndTheTime) {
  if (last == 0) GTEST_SKIP() << "there is nobody to wait for";
  plan("0.3");
  if (world_rank() == last) return;

  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  const Refusal refusal = refused(RONDO_Wait(&request, MPI_STATUS_IGNORE));

  EXPECT_EQ(refusal.code, RONDO_ERR_STALLED);
  const std::string plan =
      "plan 0 of fields, alltoallv on " + std::to_string(last + 1) + " ranks by " + GetParam().algorithm;
  EXPECT_TRUE(refusal.message.starts_with(plan)) << refusal.message;
  EXPECT_NE(refusal.message.find(": no progress for 0.3 s in step "), std::string::npos) << refusal.message;
  EXPECT_NE(refusal.message.find(", waiting for rank"), std::string::npos) << refusal.message;
  if (last == 1) {
    EXPECT_TRUE(refusal.message.ends_with("in step 1 of 1, waiting for rank 1")) << refusal.message;
    EXPECT_EQ(refusal.values.peer, 1);
  }
}

TEST_P(Stalls, LeaveARequestThatCannotBeStartedButFreed) {
  if (last == 0) GTEST_SKIP() << "there is nobody to wait for";
  plan("0.2");
  if (world_rank() == last) return;
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);

  const Refusal refusal = refused(RONDO_Start(&request));

  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refusal.message, "start of a request whose exchange has failed before");
  EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);  // it is inactive
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
}

// Freed as its user is told to, while the last rank comes late: its messages meet nothing of the program's.
TEST_P(Stalls, LateMessagesAfterAFreeChangeNothing) {
  if (last == 0) GTEST_SKIP() << "there is nobody to wait for";
  plan("0.2", hundreds);
  comparison.send_buffer.fill(1 + world_rank());
  std::optional<GuardedBuffer> before;
  if (world_rank() != last) {
    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);
    ASSERT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
    before = comparison.receive_buffer;
  }
  MPI_Barrier(MPI_COMM_WORLD);

  int code = MPI_SUCCESS;
  if (world_rank() == last) {
    EXPECT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    code = RONDO_Wait(&request, MPI_STATUS_IGNORE);  // of an exchange that others have given up
  }
  MPI_Barrier(MPI_COMM_WORLD);

  EXPECT_TRUE(code == MPI_SUCCESS || code == RONDO_ERR_STALLED) << code;
  EXPECT_EQ(before ? comparison.receive_buffer.difference(*before) : "", "");
}

TEST_P(Stalls, LeaveARequestThatCannotBeRebound) {
  if (last == 0) GTEST_SKIP() << "there is nobody to wait for";
  plan("0.2");
  if (world_rank() == last) return;
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);

  const Refusal refusal = refused(RONDO_Rebind(&request, comparison.send_base(), comparison.receive_buffer.base()));

  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refusal.message, "rebind of a request whose exchange has failed before");
}

// The last rank does not come to an init until the others have given it up.
class InitsThatStall : public testing::Test {
 protected:
  InitsThatStall() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  ~InitsThatStall() override {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&comm_);
  }

  int init(const char *stall_timeout = "0.3") {
    hints_.set("rondo_stall_timeout", stall_timeout);
    comparison_ = Comparison(sends(three), receives(three), comm_);
    RONDO_Request request = RONDO_REQUEST_NULL;
    const int code = comparison_.init(&request, hints_);
    if (code == MPI_SUCCESS) RONDO_Request_free(&request);
    return code;
  }

  const int last = world_ranks() - 1;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  Hints hints_ = by({"spread_out", "shared"});
  Comparison comparison_ = Comparison::of(none);
};

TEST_F(InitsThatStall, NameWhoIsMissingAndFailForTheLateRankToo) {
  if (last == 0) GTEST_SKIP() << "there is nobody to wait for";
  ASSERT_EQ(init(), MPI_SUCCESS);
  const std::string missing = "rank " + std::to_string(last) + ": has not come to an init within rondo_stall_timeout";
  if (world_rank() == last) MPI_Barrier(MPI_COMM_WORLD);

  const Refusal first = refused(init());
  if (world_rank() != last) MPI_Barrier(MPI_COMM_WORLD);
  const Refusal second = refused(init());

  EXPECT_EQ(first.code, RONDO_ERR_STALLED);
  EXPECT_EQ(first.message, missing);
  EXPECT_EQ(first.values.peer, last);
  EXPECT_EQ(second.code, RONDO_ERR_STALLED);
  EXPECT_EQ(second.message, missing + ", so this communicator can have no more inits");
}

TEST_F(InitsThatStall, AreNotThoseToWhichAllComeInTime) {
  const char *const more_than_a_busy_machine_takes = "5";
  ASSERT_EQ(init(more_than_a_busy_machine_takes), MPI_SUCCESS);
  if (world_rank() == last) sleep_for(0.1);

  EXPECT_EQ(init(more_than_a_busy_machine_takes), MPI_SUCCESS);
}

// The memory that the late rank would read has been given back to the system.
TEST(StalledSender, WhoseMemoryIsGoneIsNamed) {
  if (world_ranks() != 2) GTEST_SKIP() << "one sender and one that is late";
  constexpr std::size_t bytes = std::size_t{8} << 20;
  constexpr int half = static_cast<int>(bytes / 2);
  void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::vector<std::byte> received(bytes);
  Hints hints = by({"spread_out", "shared"});
  hints.set("rondo_stall_timeout", "0.2");
  hints.set("rondo_long_messages", "attach");
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoall_init(memory, half, MPI_BYTE, received.data(), half, MPI_BYTE, MPI_COMM_WORLD, hints.info(),
                                &request),
            MPI_SUCCESS);
  if (world_rank() == 0) {
    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);
    ASSERT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
    munmap(memory, bytes);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) return;
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);

  const Refusal refusal = refused(RONDO_Wait(&request, MPI_STATUS_IGNORE));

  EXPECT_EQ(refusal.code, RONDO_ERR_STALLED);
  EXPECT_NE(refusal.message.find("rank 0 has given up an exchange"), std::string::npos) << refusal.message;
  RONDO_Request_free(&request);
  munmap(memory, bytes);
}

TEST(StalledSender, OfVaryingCountsWhoseMemoryIsGoneIsNamed) {
  if (world_ranks() != 2) GTEST_SKIP() << "one sender and one that is late";
  constexpr std::size_t bytes = std::size_t{8} << 20;
  void *const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const std::array<MPI_Count, 2> counts{bytes / 2, bytes / 2};
  Hints hints;
  hints.set("rondo_stall_timeout", "0.2");
  hints.set("rondo_long_messages", "attach");
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(MPI_BYTE, MPI_BYTE, MPI_COMM_WORLD, hints.info(), &request), MPI_SUCCESS);
  if (world_rank() == 0) {
    ASSERT_EQ(RONDO_Start_counts(&request, memory, counts.data(), nullptr), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);
    ASSERT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
    munmap(memory, bytes);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) return;
  ASSERT_EQ(RONDO_Start_counts(&request, memory, counts.data(), nullptr), MPI_SUCCESS);

  const Refusal refusal = refused(RONDO_Wait(&request, MPI_STATUS_IGNORE));

  EXPECT_EQ(refusal.code, RONDO_ERR_STALLED);
  EXPECT_NE(refusal.message.find("rank 0 has given up an exchange"), std::string::npos) << refusal.message;
  EXPECT_EQ(refusal.values.peer, 0);
  RONDO_Request_free(&request);
  munmap(memory, bytes);
}

// What is read from where it lies would be something else by then.
TEST(StalledSender, WhoWritesToItsBufferBeforeItFreesThePlanDeliversNothingWrong) {
  if (world_ranks() != 2) GTEST_SKIP() << "one sender and one that is late";
  std::vector<std::byte> sent(std::size_t{8} << 20, std::byte{1});
  const std::array<MPI_Count, 2> counts{static_cast<MPI_Count>(sent.size() / 2),
                                        static_cast<MPI_Count>(sent.size() / 2)};
  Hints hints;
  hints.set("rondo_stall_timeout", "0.2");
  hints.set("rondo_long_messages", "attach");
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(MPI_BYTE, MPI_BYTE, MPI_COMM_WORLD, hints.info(), &request), MPI_SUCCESS);
  if (world_rank() == 0) {
    ASSERT_EQ(RONDO_Start_counts(&request, sent.data(), counts.data(), nullptr), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);
    std::fill(sent.begin(), sent.end(), std::byte{2});
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 1) {
    ASSERT_EQ(RONDO_Start_counts(&request, sent.data(), counts.data(), nullptr), MPI_SUCCESS);
    EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  RONDO_Request_free(&request);
}

// A message so long that MPI sends it when it is wanted: it cannot be taken back, and its buffer has to stay.
TEST(StalledLongMessage, IsToldByTheFree) {
  const int last = world_ranks() - 1;
  Comparison comparison = Comparison::of(a_mebibyte);
  RONDO_Request request = RONDO_REQUEST_NULL;
  Hints hints = by({"spread_out", "packed"});
  hints.set("rondo_stall_timeout", "0.2");
  ASSERT_EQ(comparison.init(&request, hints), MPI_SUCCESS);
  if (world_rank() != last) {
    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);

    const Refusal refusal = refused(RONDO_Request_free(&request));

    EXPECT_EQ(refusal.code, RONDO_ERR_STALLED);
    EXPECT_EQ(request, RONDO_REQUEST_NULL);
    EXPECT_GT(refusal.values.other, 0);  // messages from this rank
    EXPECT_NE(refusal.message.find(" to this rank and "), std::string::npos) << refusal.message;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == last) {  // takes them, so that MPI_Finalize has nothing to wait for
    EXPECT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), RONDO_ERR_STALLED);
    EXPECT_EQ(RONDO_Request_free(&request), RONDO_ERR_STALLED);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(NoStall, WhereNobodyAskedForATimeout) {
  Comparison comparison = Comparison::of(three);
  Request plan = comparison.plan(by("tuna"));
  comparison.prepare(0);
  if (world_rank() == 0) sleep_for(0.3);

  plan.run();

  comparison.expect_equal();
}

}  // namespace
}  // namespace rondo
