// How much of the memory that ranks share has its pages from the beginning, and whose it is afterwards.

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <rondo/varying.hpp>

#include "tests/mpi/comparison.hpp"

namespace {

long made_bytes = 0;  // of memory files, by this rank

}  // namespace

#pragma GCC visibility push(default)
extern "C" int posix_fallocate(int file, off_t begin, off_t bytes) {
  made_bytes += bytes;
  return syscall(SYS_fallocate, file, 0, begin, bytes) == 0 ? 0 : errno;
}
#pragma GCC visibility pop

namespace rondo {
namespace {

// What all ranks have made of memory files since this was constructed.
class PagesMade {
 public:
  [[nodiscard]] long bytes() const {
    long all = made_bytes - before_;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }

 private:
  long before_ = made_bytes;
};

class SharedPages : public testing::Test {
 protected:
  static constexpr long mebibyte = 1 << 20;

  void SetUp() override { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  void TearDown() override { MPI_Comm_free(&comm); }

  // Each rank sends as many bytes to each, of which the first tells who sends to whom.
  void expect_exchange(VaryingAlltoallv<char> &plan, std::int64_t bytes) const {
    const auto ranks = static_cast<std::size_t>(world_ranks());
    std::vector<char> sent(ranks * static_cast<std::size_t>(bytes), 'x');
    for (int to = 0; to < world_ranks(); ++to) sent[static_cast<std::size_t>(to * bytes)] = mark(world_rank(), to);
    const Received<char> received = plan.exchange(sent, std::vector<MPI_Count>(ranks, bytes));
    for (int from = 0; from < world_ranks(); ++from) {
      ASSERT_EQ(std::ssize(received.from(from)), bytes);
      EXPECT_EQ(received.from(from).front(), mark(from, world_rank()));
      EXPECT_EQ(received.from(from).back(), 'x');
    }
  }

  MPI_Comm comm = MPI_COMM_NULL;

 private:
  static char mark(int from, int to) { return static_cast<char>('A' + 7 * from + to); }
};

TEST_F(SharedPages, OfAVaryingPlanAreFewUntilBlocksNeedThem) {
  const PagesMade init;

  VaryingAlltoallv<char> plan(comm);

  EXPECT_LT(init.bytes(), mebibyte);
  expect_exchange(plan, 300'000);
}

// A plan of fixed counts may write anywhere without making pages first.
TEST_F(SharedPages, ThatAreNotAllThereAreNotLentToAPlanThatNeedsAll) {
  {
    const VaryingAlltoallv<char> before(comm);
  }
  const CountRule as_long_as_the_links = [](int, int) { return 30'000; };
  Comparison comparison(sends(as_long_as_the_links), receives(as_long_as_the_links), comm);
  const PagesMade init;

  Request plan = comparison.plan(by("spread_out"));

  EXPECT_GT(init.bytes(), mebibyte);
  comparison.expect_restarts(plan);
}

TEST_F(SharedPages, OfAVaryingPlanAreTheNextOnesAfterIt) {
  for (int i = 0; i < 3; ++i) {
    const PagesMade init;
    VaryingAlltoallv<char> plan(comm);
    const long bytes = init.bytes();
    if (i > 0) {
      EXPECT_EQ(bytes, 0);
    }
    expect_exchange(plan, 200'000 + 50'000 * i);
    expect_exchange(plan, 2);
  }
}

}  // namespace
}  // namespace rondo
