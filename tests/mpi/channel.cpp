// The duplicate of a communicator, and the tags that plans draw from it.

#include "wire/channel.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "plan/progress.hpp"
#include "tests/mpi/each_for_itself.hpp"

namespace {

constinit std::size_t too_small = 0;  // for the kernel, in bytes

}  // namespace

// As a kernel for so many cores that a set must be larger.
#pragma GCC visibility push(default)
extern "C" int sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t *cores) noexcept {
  if (bytes <= too_small) {
    errno = EINVAL;
    return -1;
  }
  const long filled = syscall(SYS_sched_getaffinity, process, bytes, cores);
  if (filled < 0) return -1;
  std::memset(reinterpret_cast<char *>(cores) + filled, 0, bytes - static_cast<std::size_t>(filled));
  return 0;
}
#pragma GCC visibility pop

namespace rondo::internal {
namespace {

class Channels : public testing::Test {
 protected:
  Channels() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  ~Channels() override {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }

  static bool congruent(MPI_Comm a, MPI_Comm b) {
    int result = MPI_UNEQUAL;
    MPI_Comm_compare(a, b, &result);
    return result == MPI_CONGRUENT;
  }

  MPI_Comm comm = MPI_COMM_NULL;
};

TEST_F(Channels, OneDuplicateAndATagForEach) {
  const Channel first = open_channel(comm, drive_what_runs);
  const Channel second = open_channel(comm, drive_what_runs);

  EXPECT_EQ(first.duplicate, second.duplicate);
  EXPECT_NE(first.tag, second.tag);
  first.open_messages();
  EXPECT_TRUE(congruent(first.comm(), comm));
  EXPECT_EQ(first.comm(), second.comm());
}

// As launchers bind ranks: each to a core of its own. The node has all of them.
TEST_F(Channels, NodeHasTheCoresOfAllItsRanks) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  std::vector<int> allowed;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &before)) allowed.push_back(core);
  }
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(allowed[static_cast<std::size_t>(rank) % allowed.size()], &own);
  ASSERT_EQ(sched_setaffinity(0, sizeof(own), &own), 0);

  const Channel channel = open_channel(comm, drive_what_runs);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);

  MPI_Allreduce(MPI_IN_PLACE, &own, sizeof(own), MPI_BYTE, MPI_BOR, comm);
  const int cores = channel.duplicate->node().cores();
  EXPECT_LE(cores, CPU_COUNT(&own));
  std::ifstream quota("/sys/fs/cgroup/cpu.max");
  std::string most = "max";
  if (!(quota >> most) || most == "max") {
    EXPECT_EQ(cores, CPU_COUNT(&own));
  }
}

class CoresOfChannels : public Channels, public testing::WithParamInterface<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(WhereASetIsTooSmallOf, CoresOfChannels, testing::Values(128, 1024, std::size_t{1} << 30));

// The last as where the kernel tells nothing: then all are counted.
TEST_P(CoresOfChannels, AreCounted) {
  const Channel before = open_channel(comm, drive_what_runs);
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &other);

  too_small = GetParam();
  const Channel channel = open_channel(other, drive_what_runs);
  too_small = 0;

  const bool told = GetParam() <= 1024;
  const int online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  EXPECT_EQ(channel.duplicate->node().cores(), told ? before.duplicate->node().cores() : online);
  MPI_Comm_free(&other);
}

TEST_F(Channels, DuplicateOutlivesItsCommunicator) {
  const Channel channel = open_channel(comm, drive_what_runs);
  channel.open_messages();
  MPI_Comm_free(&comm);

  EXPECT_EQ(channel.duplicate.use_count(), 1);
  EXPECT_TRUE(congruent(channel.comm(), MPI_COMM_WORLD));
}

// Draws every tag that MPI has: 2^28 on MPICH, 2^31 on Open MPI.
TEST_F(Channels, FreshDuplicateWhenTheTagsHaveRunOut) {
  const Channel old = open_channel(comm, drive_what_runs);
  int last = old.tag;
  for (int tag = old.duplicate->draw_tag(); tag >= 0; tag = old.duplicate->draw_tag()) last = tag;

  const Channel fresh = open_channel(comm, drive_what_runs);
  const Channel next = open_channel(comm, drive_what_runs);

  int *most = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most, &found);
  EXPECT_EQ(last, *most);
  EXPECT_NE(fresh.duplicate, old.duplicate);
  EXPECT_EQ(fresh.tag, 0);
  EXPECT_EQ(next.duplicate, fresh.duplicate);
  EXPECT_EQ(next.tag, 1);
}

}  // namespace
}  // namespace rondo::internal
