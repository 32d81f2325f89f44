// Where the system does not let ranks read each other's memory, as in containers, long messages pass through rings of
// cuts: the data is right, start after start, and shared memory does not grow with the blocks.

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <rondo/varying.hpp>
#include <string>
#include <vector>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/shared_bytes.hpp"

namespace {
bool refused = false;
bool own_refused = false;  // of this process
}  // namespace

#pragma GCC visibility push(default)
extern "C" {
ssize_t process_vm_readv(pid_t process, const iovec *to, unsigned long of_to, const iovec *from, unsigned long of_from,
                         unsigned long flags) noexcept {
  if (!refused && !(own_refused && process == getpid()))
    return syscall(SYS_process_vm_readv, process, to, of_to, from, of_from, flags);
  errno = EPERM;
  return -1;
}
}
#pragma GCC visibility pop

namespace rondo {
namespace {

int of_3_mebibytes(int, int) {
  return 3 << 18;
}

// A communicator whose ranks have found that they cannot read each other's memory. (The MPI library, which reads it,
// too, is left in peace after that.)
class Apart {
 public:
  Apart() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    refused = true;
    Comparison(sends(three), receives(three), comm_).plan();
    refused = false;
  }
  ~Apart() { MPI_Comm_free(&comm_); }
  Apart(const Apart &) = delete;
  Apart &operator=(const Apart &) = delete;

  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] Comparison comparison(CountRule rule) const { return {sends(rule), receives(rule), comm_}; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

class NoAttaching : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(By, NoAttaching, testing::Values("spread_out", "linear", "tuna"));

TEST_P(NoAttaching, LongMessagesAreDelivered) {
  const Apart apart;
  for (const CountRule rule : {CountRule{of_3_mebibytes}, CountRule{very_long_and_short}}) {
    Comparison comparison = apart.comparison(rule);
    Request plan = comparison.plan(by(GetParam()));

    comparison.expect_restarts(plan, 5);
  }
}

TEST(NoAttachingNeeds, LittleSharedMemoryForLongBlocks) {
  if (world_ranks() == 1) GTEST_SKIP() << "nobody shares";
  const Apart apart;
  const long before = shared_bytes();
  Comparison comparison = apart.comparison(of_3_mebibytes);
  Request plan = comparison.plan(by("spread_out"));

  EXPECT_STREQ(plan.report().wire, "shared");
  EXPECT_GT(shared_bytes(), before);
  EXPECT_LT(shared_bytes() - before, world_ranks() * (4L << 20));
  comparison.expect_restarts(plan);
}

// Blocks of some mebibytes and of some bytes, whose counts come with each start.
void expect_varying_starts(MPI_Comm comm) {
  VaryingAlltoallv<std::int64_t> plan(comm);
  for (int start = 0; start < 6; ++start) {
    std::vector<MPI_Count> counts;
    std::vector<std::int64_t> sent;
    for (int to = 0; to < world_ranks(); ++to) {
      counts.push_back((start + to) % 3 == 0 ? 3 : (3 << 17) + start);
      for (MPI_Count i = 0; i < counts.back(); ++i) sent.push_back(100 * world_rank() + to + 10'000 * i + start);
    }

    const Received<std::int64_t> received = plan.exchange(sent, counts);

    for (int from = 0; from < world_ranks(); ++from) {
      const auto block = received.from(from);
      ASSERT_EQ(block.size(), static_cast<std::size_t>((start + world_rank()) % 3 == 0 ? 3 : (3 << 17) + start));
      for (std::size_t i = 0; i < block.size(); ++i) {
        ASSERT_EQ(block[i], 100 * from + world_rank() + 10'000 * static_cast<std::int64_t>(i) + start);
      }
    }
  }
}

TEST(NoAttachingOf, VaryingCounts) {
  const Apart apart;
  expect_varying_starts(apart.comm());
}

// As of memory of a device, which the kernel does not read for another process.
TEST(NoAttachingOf, VaryingCountsInMemoryThatTheKernelDoesNotRead) {
  own_refused = true;
  expect_varying_starts(MPI_COMM_WORLD);
  own_refused = false;
}

// Two exchanges on such a communicator, with their plans.
struct TwoExchanges {
  TwoExchanges(CountRule rule_of_one, CountRule rule_of_other)
      : one(apart.comparison(rule_of_one)), other(apart.comparison(rule_of_other)) {}

  void prepare(int round) {
    one.prepare(round);
    other.prepare(round);
  }
  void expect_equal() const {
    one.expect_equal("one");
    other.expect_equal("other");
  }

  Apart apart;
  Comparison one;
  Comparison other;
  Request first = one.plan(by("spread_out"));
  Request second = other.plan(by("spread_out"));
};

int of_3_mebibytes_from_rank_0(int source, int destination) {
  return source == 0 && destination != 0 ? 3 << 18 : 0;
}

// Rank 0 starts the second exchange when the first is through, for which it needs the others: they are in a wait for
// the second.
TEST(NoAttachingOf, AnExchangeOneWayWhileReceiversWaitForAnother) {
  TwoExchanges two(of_3_mebibytes_from_rank_0, three);
  two.prepare(1);

  two.first.start();
  if (world_rank() == 0) two.first.wait();
  two.second.start();
  two.second.wait();
  if (world_rank() != 0) two.first.wait();

  two.expect_equal();
}

// Two plans at once, waited for in the other order on every other rank.
TEST(NoAttachingOf, SeveralPlansAtOnce) {
  TwoExchanges two(of_3_mebibytes, of_3_mebibytes);

  for (int round = 0; round < 3; ++round) {
    two.prepare(round);
    two.first.start();
    two.second.start();
    Request &sooner = world_rank() % 2 == 0 ? two.first : two.second;
    Request &later = world_rank() % 2 == 0 ? two.second : two.first;
    sooner.wait();
    later.wait();
    two.expect_equal();
  }
}

}  // namespace
}  // namespace rondo
