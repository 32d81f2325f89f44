// Blocks that are built in memory of a plan arrive, whether they are read where they lie or copied, and stay as long as
// is said.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <rondo/rondo.hpp>
#include <thread>
#include <vector>

#include "tests/mpi/refusal.hpp"
#include "tests/mpi/session.hpp"
#include "tests/mpi/type.hpp"

namespace rondo {
namespace {

using Element = std::int64_t;

// From some bytes to 400 KB.
MPI_Count count_of(int from, int to, int start) {
  constexpr MPI_Count counts[] = {3, 511, 512, 20'000, 0, 50'000};
  return counts[(from * 5 + to * 3 + start) % 6];
}

Element element_of(int from, int to, int start, MPI_Count index) {
  return static_cast<Element>(from) << 56 | static_cast<Element>(to) << 48 | static_cast<Element>(start) << 40 | index;
}

std::vector<Element> block_of(int from, int to, int start) {
  std::vector<Element> block;
  for (MPI_Count i = 0; i < count_of(from, to, start); ++i) block.push_back(element_of(from, to, start, i));
  return block;
}

std::vector<SendBlock<Element> > built(VaryingAlltoallv<Element> &plan, int start) {
  auto blocks = plan.new_blocks();
  for (int to = 0; to < world_ranks(); ++to) {
    for (const Element each : block_of(world_rank(), to, start)) blocks[to].push_back(each);
  }
  return blocks;
}

template <class Blocks>
void expect_received(const Blocks &received, int start) {
  for (int from = 0; from < world_ranks(); ++from) {
    const auto block = received.from(from);
    ASSERT_EQ((std::vector<Element>(block.begin(), block.end())), block_of(from, world_rank(), start))
        << "start " << start << ", from rank " << from;
  }
}

struct Way {
  const char *name;
  Hints hints;
};

class SendMemory : public testing::TestWithParam<Way> {};

INSTANTIATE_TEST_SUITE_P(, SendMemory,
                         testing::ValuesIn(std::vector<Way>{{"Chosen", {}},
                                                            {"OnNodesOfTwo", {{"rondo_node_size", "2"}}},
                                                            {"ByMessages", {{"rondo_wire", "packed"}}},
                                                            {"Attached", {{"rondo_long_messages", "attach"}}},
                                                            {"Forwarding", {{"rondo_algorithm", "tuna"}}},
                                                            {"SeparateMetadata", {{"rondo_metadata", "separate"}}},
                                                            {"Padded", {{"rondo_algorithm", "padded_bruck"}}},
                                                            {"ProgressThread", {{"rondo_progress", "thread"}}}}),
                         [](const auto &way) { return way.param.name; });

TEST_P(SendMemory, ArrivesAndStaysUntilTheNextStartButOne) {
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD, GetParam().hints);
  ReceivedBlocks<Element> before;
  for (int start = 0; start < 9; ++start) {
    const auto blocks = built(plan, start);
    if ((start + world_rank()) % 3 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));

    const ReceivedBlocks<Element> received = plan.exchange_blocks(blocks);

    expect_received(received, start);
    if (start > 0) expect_received(before, start - 1);
    before = received;
  }
}

TEST_P(SendMemory, IsCopiedForWhoWantsOnePiece) {
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD, GetParam().hints);
  for (int start = 0; start < 5; ++start) {
    plan.start_blocks(built(plan, start));
    const Received<Element> received = plan.wait();

    expect_received(received, start);
    EXPECT_EQ(static_cast<MPI_Count>(received.all().size()),
              std::accumulate(received.counts().begin(), received.counts().end(), MPI_Count{0}));
    expect_received(plan.received_blocks(), start);
    std::vector<Element> copied(received.all().size() + 1, -1);
    ASSERT_EQ(RONDO_Received_into(plan.request().native(), copied.data(), static_cast<MPI_Count>(copied.size()),
                                  nullptr, nullptr),
              MPI_SUCCESS);
    EXPECT_TRUE(std::equal(received.all().begin(), received.all().end(), copied.begin()));
    EXPECT_EQ(copied.back(), -1);
  }
}

// Blocks of one start: some in its memory, some in the caller's, some in memory for another rank.
TEST_P(SendMemory, IsOneOfThePlacesOfBlocks) {
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD, GetParam().hints);
  for (int start = 0; start < 6; ++start) {
    std::vector<std::vector<Element> > own;
    std::vector<std::span<const Element> > blocks;
    for (int to = 0; to < world_ranks(); ++to) {
      own.push_back(block_of(world_rank(), to, start));
      blocks.emplace_back(own.back());
      if ((to + start) % 3 == 0) continue;
      const auto room = plan.send_memory((to + start) % 3 == 1 ? to : (to + 1) % world_ranks(), 100'000);
      const auto place = room.subspan((to + start) % 3 == 1 ? 0 : 50'000, own.back().size());
      std::copy(own.back().begin(), own.back().end(), place.begin());
      blocks.back() = place;
    }

    expect_received(plan.exchange_blocks(blocks), start);
  }
}

// From memory of a plan by the call with displacements; several plans at once.
TEST_P(SendMemory, IsSentByDisplacements) {
  VaryingAlltoallv<Element> one(MPI_COMM_WORLD, GetParam().hints);
  VaryingAlltoallv<Element> other(MPI_COMM_WORLD, GetParam().hints);
  for (int start = 0; start < 4; ++start) {
    for (VaryingAlltoallv<Element> *plan : {&one, &other}) {
      std::vector<MPI_Count> counts;
      std::vector<MPI_Aint> displacements;
      const Element *const base = plan->send_memory(0, 1).data();
      for (int to = 0; to < world_ranks(); ++to) {
        const std::vector<Element> block = block_of(world_rank(), to, start);
        const auto place = plan->send_memory(to, block.size());
        std::copy(block.begin(), block.end(), place.begin());
        counts.push_back(static_cast<MPI_Count>(block.size()));
        displacements.push_back(place.data() - base);
      }
      plan->start(base, counts, displacements);
    }
    expect_received(other.wait_blocks(), start);
    expect_received(one.wait_blocks(), start);
  }
}

// Who has sent frees its plan, and ends; the others have not looked yet.
TEST_P(SendMemory, OutlivesThePlanOfItsSender) {
  for (int late = 0; late < std::min(2, world_ranks()); ++late) {
    auto plan = std::make_unique<VaryingAlltoallv<Element> >(MPI_COMM_WORLD, GetParam().hints);
    plan->start_blocks(built(*plan, 1));
    if (world_rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    const ReceivedBlocks<Element> received = plan->wait_blocks();
    if (world_rank() == late) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      expect_received(received, 1);
    }
    plan.reset();
  }
}

TEST(SendMemoryOfPlans, IsReadWhereItLies) {
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD);
  auto blocks = plan.new_blocks();
  for (SendBlock<Element> &block : blocks) {
    for (int i = 0; i < 1000; ++i) block.push_back(i);
  }
  const Element *const own = blocks[world_rank()].data();

  const ReceivedBlocks<Element> received = plan.exchange_blocks(blocks);

  EXPECT_EQ(received.from(world_rank()).data(), own);
  const Received<Element> copied = plan.received();
  for (int from = 0; from < world_ranks(); ++from) {
    EXPECT_NE(received.from(from).data(), copied.from(from).data()) << from;
    EXPECT_TRUE(std::equal(received.from(from).begin(), received.from(from).end(), copied.from(from).begin()));
  }
}

TEST(SendMemoryOfPlans, ServesElementsWithGaps) {
  Type every_other = resized(contiguous(1), 0, 2 * int_size);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(every_other, every_other, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  every_other.free();
  constexpr MPI_Count count = 3000;
  for (int start = 0; start < 4; ++start) {
    std::vector<const void *> blocks;
    for (int to = 0; to < world_ranks(); ++to) {
      void *memory = nullptr;
      ASSERT_EQ(RONDO_Send_memory(request, to, 2 * count * static_cast<MPI_Count>(sizeof(int)), &memory), MPI_SUCCESS);
      for (int i = 0; i < 2 * count; ++i) static_cast<int *>(memory)[i] = i % 2 == 0 ? world_rank() * 10'000 + i : -7;
      blocks.push_back(memory);
    }
    const std::vector<MPI_Count> counts(blocks.size(), count);
    ASSERT_EQ(RONDO_Start_blocks(&request, blocks.data(), counts.data()), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);

    std::vector<const void *> received(blocks.size());
    ASSERT_EQ(RONDO_Received_blocks(request, received.data(), nullptr), MPI_SUCCESS);

    for (int from = 0; from < world_ranks(); ++from) {
      for (int i = 0; i < 2 * count; i += 2) {
        ASSERT_EQ(static_cast<const int *>(received[from])[i], from * 10'000 + i) << start << " from " << from;
      }
    }
  }
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

// A process may not make files that are long: its memory is ordinary.
TEST(SendMemoryOfPlans, IsOrdinaryWhereFilesMayNotBeLong) {
  struct rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD);
  struct rlimit little = before;
  little.rlim_cur = 1 << 20;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);

  for (int start = 0; start < 4; ++start) expect_received(plan.exchange_blocks(built(plan, start)), start);

  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
}

// Every second process has no addresses left for the blocks: it copies those of the others, and its own are ordinary.
TEST(SendMemoryOfPlans, IsCopiedWhereItCannotBeMapped) {
  struct rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD);
  if (world_rank() % 2 == 1) {
    std::int64_t pages = 0;
    ASSERT_TRUE(std::ifstream("/proc/self/statm") >> pages);
    struct rlimit little = before;
    little.rlim_cur = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE)) + (128 << 20);
    ASSERT_EQ(setrlimit(RLIMIT_AS, &little), 0);
  }

  for (int start = 0; start < 7; ++start) expect_received(plan.exchange_blocks(built(plan, start)), start);

  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
}

// Nor can it open any more files.
TEST(SendMemoryOfPlans, IsCopiedWhereNoFileCanBeOpened) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer of undefined behaviour opens a pipe to look at an object";
#endif
  struct rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD, {{"rondo_node_size", "3"}});
  if (world_rank() % 2 == 1) {
    struct rlimit little = before;
    little.rlim_cur = 3;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &little), 0);
  }

  for (int start = 0; start < 7; ++start) expect_received(plan.exchange_blocks(built(plan, start)), start);

  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

// Who receives may count on the alignment of its elements, whatever the sender's are.
TEST(SendMemoryOfPlans, IsNoPlaceForBlocksThatAreNotAligned) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(MPI_BYTE, MPI_DOUBLE, MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_SUCCESS);
  std::vector<const void *> blocks;
  for (int to = 0; to < world_ranks(); ++to) {
    void *memory = nullptr;
    ASSERT_EQ(RONDO_Send_memory(request, to, 8001, &memory), MPI_SUCCESS);
    const std::vector<double> block(1000, world_rank() * 100 + to);
    std::memcpy(static_cast<std::byte *>(memory) + 1, block.data(), 8000);
    blocks.push_back(static_cast<const std::byte *>(memory) + 1);
  }
  const std::vector<MPI_Count> counts(blocks.size(), 8000);
  ASSERT_EQ(RONDO_Start_blocks(&request, blocks.data(), counts.data()), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);

  ASSERT_EQ(RONDO_Received_blocks(request, blocks.data(), nullptr), MPI_SUCCESS);

  for (int from = 0; from < world_ranks(); ++from) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[from]) % alignof(double), 0U);
    EXPECT_EQ(static_cast<const double *>(blocks[from])[999], from * 100 + world_rank());
  }
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

// What came is sent on by the next start, from where it lies.
TEST(SendMemoryOfPlans, IsSentOnByTheNextStart) {
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD);
  ReceivedBlocks<Element> received = plan.exchange_blocks(built(plan, 0));
  for (int start = 1; start < 8; ++start) {
    const std::vector<std::span<const Element> > back(received.begin(), received.end());
    received = plan.exchange_blocks(back);
    // After two starts each block is where it began.
    if (start % 2 == 0) {
      expect_received(received, 0);
    } else {
      for (int from = 0; from < world_ranks(); ++from) {
        const auto block = received.from(from);
        ASSERT_EQ((std::vector<Element>(block.begin(), block.end())), block_of(world_rank(), from, 0));
      }
    }
  }
}

TEST(SendBlocks, GrowOnlyBeforeTheirStart) {
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD);
  auto first = plan.new_blocks();
  first[0].push_back(1);
  auto second = plan.new_blocks();
  EXPECT_THROW(first[0].reserve(100'000), RequestError) << "there are others";
  second[0].push_back(2);

  static_cast<void>(plan.exchange_blocks(second));

  EXPECT_THROW(second[0].reserve(100'000), RequestError) << "it has been sent";
  auto third = plan.new_blocks();
  EXPECT_THROW(third[0].reserve(std::size_t{1} << 61), MemoryError);
  EXPECT_THROW(third[0].reserve((std::size_t{1} << 61) + 1), MemoryError);
  third[0].push_back(3);
  EXPECT_EQ(third[0].data()[0], 3);
}

TEST(SendMemoryOfPlans, RefusesWhatItCannotBeFor) {
  VaryingAlltoallv<Element> plan(MPI_COMM_WORLD);
  RONDO_Request request = plan.request().native();
  void *memory = nullptr;
  const Refusal no_rank = refused(RONDO_Send_memory(request, world_ranks(), 8, &memory));
  EXPECT_EQ(no_rank.code, RONDO_ERR_ARG);
  EXPECT_EQ(no_rank.values.peer, world_ranks());
  EXPECT_EQ(refused(RONDO_Send_memory(request, -1, 8, &memory)).code, RONDO_ERR_ARG);
  const Refusal negative = refused(RONDO_Send_memory(request, 0, -8, &memory));
  EXPECT_EQ(negative.code, RONDO_ERR_COUNT);
  EXPECT_EQ(negative.values.value, -8);
  EXPECT_EQ(refused(RONDO_Send_memory(request, 0, 8, nullptr)).code, RONDO_ERR_ARG);
  EXPECT_EQ(refused(RONDO_Send_memory(RONDO_REQUEST_NULL, 0, 8, &memory)).code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refused(RONDO_Start_blocks(&request, nullptr, nullptr)).code, RONDO_ERR_BUFFER);
  EXPECT_EQ(refused(RONDO_Received_blocks(request, nullptr, nullptr)).code, RONDO_ERR_ARG);
  std::vector<const void *> received(static_cast<std::size_t>(world_ranks()));
  EXPECT_EQ(refused(RONDO_Received_blocks(request, received.data(), nullptr)).code, RONDO_ERR_REQUEST) << "no start";

  // Blocks that cannot be sent, and the plan can be started with others.
  std::vector<const void *> blocks(received.size(), nullptr);
  std::vector<MPI_Count> counts(received.size(), 0);
  counts.back() = 5;
  const Refusal null = refused(RONDO_Start_blocks(&request, blocks.data(), counts.data()));
  EXPECT_EQ(null.code, RONDO_ERR_BUFFER);
  EXPECT_EQ(null.values.peer, world_ranks() - 1);
  counts.back() = -5;
  EXPECT_EQ(refused(RONDO_Start_blocks(&request, blocks.data(), counts.data())).code, RONDO_ERR_COUNT);
  counts.back() = 5;
  blocks.back() = MPI_IN_PLACE;
  EXPECT_EQ(refused(RONDO_Start_blocks(&request, blocks.data(), counts.data())).code, RONDO_ERR_BUFFER);

  counts.back() = 0;
  ASSERT_EQ(RONDO_Start_blocks(&request, blocks.data(), counts.data()), MPI_SUCCESS);
  EXPECT_EQ(refused(RONDO_Send_memory(request, 0, 8, &memory)).code, RONDO_ERR_REQUEST) << "active";
  EXPECT_EQ(refused(RONDO_Received_blocks(request, received.data(), nullptr)).code, RONDO_ERR_REQUEST) << "active";
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(RONDO_Received_blocks(request, received.data(), counts.data()), MPI_SUCCESS);
  EXPECT_EQ(counts, std::vector<MPI_Count>(received.size(), 0));
}

TEST(SendMemoryOfPlans, IsNotOfPlansThatHaveTheirCounts) {
  const std::vector<int> none(static_cast<std::size_t>(world_ranks()), 0);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init(nullptr, none.data(), none.data(), MPI_INT, nullptr, none.data(), none.data(), MPI_INT,
                                 MPI_COMM_WORLD, MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  void *memory = nullptr;
  EXPECT_EQ(refused(RONDO_Send_memory(request, 0, 8, &memory)).code, RONDO_ERR_REQUEST);
  std::vector<const void *> blocks(none.size());
  std::vector<MPI_Count> counts(none.size());
  EXPECT_EQ(refused(RONDO_Start_blocks(&request, blocks.data(), counts.data())).code, RONDO_ERR_REQUEST);
  EXPECT_EQ(refused(RONDO_Received_blocks(request, blocks.data(), counts.data())).code, RONDO_ERR_REQUEST);
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

}  // namespace
}  // namespace rondo

int main(int argc, char **argv) {
  return rondo::run_tests(argc, argv, MPI_THREAD_MULTIPLE);
}
