// Calls of MPI's and of the system's that fail when a test says so: the error has the call's name, an init fails on all
// ranks, and a request whose exchange has failed can be freed.

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace {

enum class Failing { nothing, recv_init, startall, testall, type_commit, create_group, read_process };
constinit Failing failing = Failing::nothing;

// Memory that the kernel reads for no other process, as a device's that is mapped.
struct DeviceMemory {
  long long process;
  std::uintptr_t begin;
  std::uintptr_t end;
};
std::vector<DeviceMemory> device_memory;

// As a process that was started later, or elsewhere, sees those of another MPI_COMM_WORLD.
constinit bool of_another_world = false;

bool is_world(MPI_Group group) {
  MPI_Group world = MPI_GROUP_NULL;
  int result = MPI_UNEQUAL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_compare(group, world, &result);
  MPI_Group_free(&world);
  return result == MPI_IDENT;
}

bool is_of_device(pid_t process, const iovec &piece) {
  const auto begin = reinterpret_cast<std::uintptr_t>(piece.iov_base);
  return std::any_of(device_memory.begin(), device_memory.end(), [&](const DeviceMemory &memory) {
    return memory.process == process && begin < memory.end && memory.begin < begin + piece.iov_len;
  });
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {
int MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *request) {
  if (failing == Failing::recv_init) return MPI_ERR_OTHER;
  return PMPI_Recv_init(buffer, count, type, from, tag, comm, request);
}
int MPI_Startall(int count, MPI_Request requests[]) {
  return failing == Failing::startall ? MPI_ERR_OTHER : PMPI_Startall(count, requests);
}
int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  return failing == Failing::testall ? MPI_ERR_TRUNCATE : PMPI_Testall(count, requests, flag, statuses);
}
int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made) {
  if (failing != Failing::create_group) return PMPI_Comm_create_group(comm, group, tag, made);
  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}
int MPI_Group_translate_ranks(MPI_Group from, int count, const int ranks[], MPI_Group to, int found[]) {
  if (!of_another_world || !is_world(to)) return PMPI_Group_translate_ranks(from, count, ranks, to, found);
  std::fill_n(found, count, MPI_UNDEFINED);
  return MPI_SUCCESS;
}
int MPI_Type_commit(MPI_Datatype *type) {
  return failing == Failing::type_commit ? MPI_ERR_OTHER : PMPI_Type_commit(type);
}
ssize_t process_vm_readv(pid_t process, const iovec *to, unsigned long of_to, const iovec *from, unsigned long of_from,
                         unsigned long flags) noexcept {
  if (failing == Failing::read_process) {
    errno = EPERM;
    return -1;
  }
  if (std::any_of(from, from + of_from, [&](const iovec &piece) { return is_of_device(process, piece); })) {
    errno = EFAULT;
    return -1;
  }
  return syscall(SYS_process_vm_readv, process, to, of_to, from, of_from, flags);
}
}
#pragma GCC visibility pop

namespace rondo {
namespace {

// While one lives, the call fails on this rank if it is to.
class Failure {
 public:
  Failure(Failing call, bool here) { failing = here ? call : Failing::nothing; }
  ~Failure() { failing = Failing::nothing; }
  Failure(const Failure &) = delete;
  Failure &operator=(const Failure &) = delete;
};

bool on_last() {
  return world_rank() == world_ranks() - 1;
}

std::string prefix_of_last() {
  return "rank " + std::to_string(world_ranks() - 1) + ": ";
}

// What all ranks get when the call fails on the last one.
void expect_told_at_init(Failing call, const Way &way, const std::string &name) {
  Comparison comparison = Comparison::of(three);
  RONDO_Request request = RONDO_REQUEST_NULL;
  Refusal refusal{};
  {
    const Failure failure(call, on_last());
    refusal = refused(comparison.init(&request, by(way)));
  }

  EXPECT_EQ(refusal.code, RONDO_ERR_MPI);
  EXPECT_TRUE(refusal.message.starts_with(prefix_of_last() + name + " failed: ")) << refusal.message;
  EXPECT_EQ(refusal.values.value, MPI_ERR_OTHER);
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
  Request plan = comparison.plan(by(way));
  comparison.expect_restarts(plan, 1);
}

TEST(FailingCall, ThatMakesARequestIsToldByAllRanks) {
  if (world_ranks() == 1) GTEST_SKIP() << "there are no messages";
  expect_told_at_init(Failing::recv_init, {"spread_out", "packed"}, "MPI_Recv_init");
}

TEST(FailingCall, ThatCommitsATypeIsToldByAllRanks) {
  if (world_ranks() < 4) GTEST_SKIP() << "messages are of one piece";
  expect_told_at_init(Failing::type_commit, {"tuna", "datatype"}, "MPI_Type_commit");
}

// How a library matches neighbours that are named twice is measured on a communicator of its own. Where there is none
// to be had, native may do it wrong.
TEST(FailingCall, ThatMakesACommunicatorToMeasureOnLeavesNativeOut) {
  const std::array<int, 2> lengths{world_ranks(), 1};
  const std::array<int, 2> periodic{0, 1};
  const std::array<int, 4> counts{1, 1, 1, 1};
  const std::array<int, 4> displacements{0, 1, 2, 3};
  const std::array<int, 4> sent{0, 1, 2, 3};
  std::array<int, 4> received{};
  MPI_Comm grid = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 2, lengths.data(), periodic.data(), 0, &grid);
  const auto init = [&](const Hints &hints, RONDO_Request *request) {
    return RONDO_Neighbor_alltoallv_init(sent.data(), counts.data(), displacements.data(), MPI_INT, received.data(),
                                         counts.data(), displacements.data(), MPI_INT, grid, hints.info(), request);
  };
  RONDO_Request request = RONDO_REQUEST_NULL;
  {
    const Failure failure(Failing::create_group, true);

    EXPECT_EQ(init(by("native"), &request), RONDO_ERR_ALGORITHM);
    ASSERT_EQ(init({}, &request), MPI_SUCCESS);
  }

  Request(request).run();
  EXPECT_EQ(received[2], 3);
  EXPECT_EQ(received[3], 2);
  MPI_Comm_free(&grid);
}

// Even ranks and odd ones, of which the upper half is of another MPI_COMM_WORLD.
TEST(SeveralWorlds, InBothGroupsOfAnIntercommunicator) {
  if (world_ranks() != 4) GTEST_SKIP() << "each group is to have ranks of both worlds";
  const int group = world_rank() % 2;
  const int sent = world_rank();
  std::array<int, 2> received{};
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, group, world_rank(), &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, 1 - group, 0, &both);

  of_another_world = world_rank() >= 2;
  Request plan = allgather_init(std::span<const int>(&sent, 1), std::span<int>(received), both);
  of_another_world = false;
  plan.run();

  EXPECT_EQ(received, (std::array{1 - group, 3 - group}));
  plan = Request();
  MPI_Comm_free(&both);
  MPI_Comm_free(&own);
}

// On a communicator that is not freed, as messages may be left on it.
class FailedExchange : public testing::Test {
 protected:
  FailedExchange() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    failing_one.emplace(sends(three), receives(three), comm);
  }
  ~FailedExchange() override {
    EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  MPI_Comm comm = MPI_COMM_NULL;
  std::optional<Comparison> failing_one;  // its buffers are there until the request has been freed
  RONDO_Request request = RONDO_REQUEST_NULL;
};

TEST_F(FailedExchange, NamesTheCallAndCanOnlyBeFreed) {
  ASSERT_EQ(failing_one->init(&request, by({"spread_out", "packed"})), MPI_SUCCESS);
  if (world_ranks() == 1) return;
  Refusal refusal{};
  {
    const Failure failure(Failing::startall, true);
    refusal = refused(RONDO_Start(&request));
  }

  EXPECT_EQ(refusal.code, RONDO_ERR_MPI);
  EXPECT_TRUE(refusal.message.starts_with("MPI_Startall failed: ")) << refusal.message;
  EXPECT_EQ(refused(RONDO_Start(&request)).message, "start of a request whose exchange has failed before");
  EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);  // it is inactive
}

// The second of three cannot be started: the first is active, and the third as before.
TEST_F(FailedExchange, AmongSeveralLeavesThoseBehindItInactive) {
  std::vector<Comparison> comparisons(2, {sends(three), receives(three), comm});
  Request first = comparisons[0].plan(by({"spread_out", "shared"}));
  Request third = comparisons[1].plan(by({"spread_out", "shared"}));
  ASSERT_EQ(failing_one->init(&request, by({"spread_out", "packed"})), MPI_SUCCESS);
  if (world_ranks() == 1) return;
  comparisons[0].prepare(0);
  std::array requests{first.native(), request, third.native()};
  Refusal refusal{};
  {
    const Failure failure(Failing::startall, true);
    refusal = refused(RONDO_Startall(3, requests.data()));
  }

  EXPECT_EQ(refusal.code, RONDO_ERR_MPI);
  EXPECT_EQ(refused(RONDO_Start(&requests[0])).message, "start of an active request");
  EXPECT_EQ(refused(RONDO_Start(&requests[1])).message, "start of a request whose exchange has failed before");
  first.wait();
  comparisons[0].expect_equal();
  comparisons[1].expect_restarts(third, 1);
}

// What a test has seen fail is complete, and is told with the others: the code in its status, and by what its class is.
TEST_F(FailedExchange, IsToldByATestOfAllWhenAllAreComplete) {
  Comparison good(sends(three), receives(three), comm);
  Request other = good.plan(by({"spread_out", "shared"}));
  ASSERT_EQ(failing_one->init(&request, by({"spread_out", "packed"})), MPI_SUCCESS);
  if (world_ranks() == 1) return;
  good.prepare(0);
  std::array requests{request, other.native()};
  std::array<MPI_Status, 2> statuses{};
  ASSERT_EQ(RONDO_Startall(2, requests.data()), MPI_SUCCESS);
  int flag = 0;
  int of_one = 0;
  MPI_Status status{};
  Refusal refusal{};
  {
    const Failure failure(Failing::testall, true);
    ASSERT_EQ(RONDO_Request_get_status(request, &of_one, &status), MPI_SUCCESS);
    while (flag == 0) refusal = refused(RONDO_Testall(2, requests.data(), &flag, statuses.data()));
  }
  int error_class = -1;
  RONDO_Error_class(RONDO_ERR_MPI, &error_class);

  EXPECT_EQ(of_one, 1);
  EXPECT_EQ(status.MPI_ERROR, RONDO_ERR_MPI);
  EXPECT_EQ(refusal.code, MPI_ERR_IN_STATUS);
  EXPECT_EQ(statuses[0].MPI_ERROR, RONDO_ERR_MPI);
  EXPECT_EQ(statuses[1].MPI_ERROR, MPI_SUCCESS);
  EXPECT_TRUE(refusal.message.starts_with("requests[0]: MPI_Testall failed: ")) << refusal.message;
  EXPECT_EQ(error_class, MPI_ERR_TRUNCATE);
  good.expect_equal();
}

// ---- Memory of a device ------------------------------------------------------------------------------------------

// What some ranks have of it, as long as one lives.
class OnDevice {
 public:
  OnDevice(bool here, GuardedBuffer &buffer) : OnDevice(here, buffer.base(), buffer.end()) {}
  OnDevice(bool here, const void *begin, const void *end) {
    const DeviceMemory own{getpid(), here ? reinterpret_cast<std::uintptr_t>(begin) : 0,
                           here ? reinterpret_cast<std::uintptr_t>(end) : 0};
    std::vector<DeviceMemory> all(static_cast<std::size_t>(world_ranks()));
    MPI_Allgather(&own, sizeof(own), MPI_BYTE, all.data(), sizeof(own), MPI_BYTE, MPI_COMM_WORLD);
    device_memory.insert(device_memory.end(), all.begin(), all.end());
  }
  ~OnDevice() { device_memory.clear(); }
  OnDevice(const OnDevice &) = delete;
  OnDevice &operator=(const OnDevice &) = delete;
};

// MPI libraries attach, too: the oracle is asked while there is no such memory.
void expect_restarts_on_device(Comparison &comparison, Request &plan) {
  const std::vector<DeviceMemory> all = device_memory;
  for (int round = 0; round < 3; ++round) {
    device_memory.clear();
    comparison.prepare(round);
    MPI_Barrier(MPI_COMM_WORLD);
    device_memory = all;
    plan.run();
    comparison.expect_equal("in round " + std::to_string(round));
  }
}

// Whether the next rank's memory can be read.
bool ranks_read_each_other() {
  const int next = (world_rank() + 1) % world_ranks();
  const int before = (world_rank() + world_ranks() - 1) % world_ranks();
  const std::array<std::uintptr_t, 2> own{static_cast<std::uintptr_t>(getpid()),
                                          reinterpret_cast<std::uintptr_t>(&failing)};
  std::array<std::uintptr_t, 2> of_next{};
  MPI_Sendrecv(own.data(), sizeof(own), MPI_BYTE, before, 0, of_next.data(), sizeof(own), MPI_BYTE, next, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  Failing read{};
  const iovec to{&read, sizeof(read)};
  const iovec from{reinterpret_cast<void *>(of_next[1]), sizeof(read)};
  int can = process_vm_readv(static_cast<pid_t>(of_next[0]), &to, 1, &from, 1, 0) == sizeof(read) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &can, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return can != 0;
}

// Messages that others would take out of it.
Hints attached(const char *algorithm = "spread_out") {
  Hints hints = by({algorithm, "shared"});
  hints.set("rondo_long_messages", "attach");
  hints.set("rondo_stall_timeout", "5");
  return hints;
}

TEST(DeviceMemory, IsSentFromOnAllRanks) {
  Comparison comparison = Comparison::of(very_long_and_short);
  const OnDevice device(true, comparison.send_buffer);

  Request plan = comparison.plan(attached());

  expect_restarts_on_device(comparison, plan);
}

TEST(DeviceMemory, IsSentFromOnOneRank) {
  Comparison comparison = Comparison::of(very_long_and_short);
  const OnDevice device(world_rank() == 0, comparison.send_buffer);

  Request plan = comparison.plan(attached("tuna"));

  expect_restarts_on_device(comparison, plan);
}

TEST(DeviceMemory, IsReceivedInAndSentOnFrom) {
  const int count = 500'000;
  std::vector<int> sent(count, world_rank());
  std::vector<int> received(static_cast<std::size_t>(count) * static_cast<std::size_t>(world_ranks()), -1);
  const OnDevice device(true, received.data(), received.data() + received.size());
  const OnDevice other(true, sent.data(), sent.data() + sent.size());
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Allgather_init(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, MPI_COMM_WORLD,
                                 attached("dissemination").info(), &request),
            MPI_SUCCESS);
  Request plan(request);

  plan.run();

  for (std::size_t i = 0; i < received.size(); i += count / 10) {
    ASSERT_EQ(received[i], static_cast<int>(i) / count) << i;
  }
}

TEST(DeviceMemory, IsNotReboundToWhereOthersReadTheMemoryOfInit) {
  if (world_ranks() == 1 || !ranks_read_each_other()) GTEST_SKIP() << "nobody reads";
  Comparison comparison = Comparison::of(very_long_and_short);
  Request plan = comparison.plan(attached());
  RONDO_Request request = plan.native();
  GuardedBuffer elsewhere = comparison.send_buffer;
  void *const receive = comparison.receive_buffer.base();
  int refused_ranks = 0;
  {
    const OnDevice device(true, elsewhere);
    const Refusal refusal = refused(RONDO_Rebind(&request, elsewhere.base(), receive));
    if (refusal.code != MPI_SUCCESS) {
      EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
      EXPECT_EQ(refusal.message, "the send buffer lies in memory that other processes cannot read, unlike at init");
    } else {
      EXPECT_EQ(RONDO_Rebind(&request, comparison.send_base(), receive), MPI_SUCCESS);
    }
    const int own = refusal.code == MPI_SUCCESS ? 0 : 1;
    MPI_Allreduce(&own, &refused_ranks, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }

  EXPECT_GE(refused_ranks, 1);
  comparison.expect_restarts(plan);
}

// ---- A failure at a start ------------------------------------------------------------------------------------------

// Who cannot read tells the sender all the same that its memory is not needed any more.
TEST_F(FailedExchange, OfMemoryThatCannotBeReadLetsTheSenderGoOn) {
  Comparison comparison(sends(very_long_and_short), receives(very_long_and_short), comm);
  Hints hints = by({"spread_out", "shared"});
  hints.set("rondo_stall_timeout", "0.3");
  ASSERT_EQ(comparison.init(&request, hints), MPI_SUCCESS);
  if (world_ranks() != 2) return;
  const Failure failure(Failing::read_process, on_last());
  ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);

  const Refusal refusal = refused(RONDO_Wait(&request, MPI_STATUS_IGNORE));

  if (!on_last()) {
    EXPECT_EQ(refusal.code, MPI_SUCCESS) << refusal.message;
    return;
  }
  if (refusal.code == MPI_SUCCESS) GTEST_SKIP() << "processes cannot read each other here, and so never do";
  EXPECT_EQ(refusal.code, RONDO_ERR_INTERNAL);
  EXPECT_NE(refusal.message.find("Operation not permitted"), std::string::npos) << refusal.message;
}

}  // namespace
}  // namespace rondo
