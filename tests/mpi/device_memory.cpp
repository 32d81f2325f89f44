// Memory of a GPU that only MPI may touch: plans for it are MPI's, or are refused by all ranks. The runtime that tells
// of it, and the memory, are pretended (tests/pretended_gpu).

#include <array>
#include <vector>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

extern "C" {
void *pretended_gpu_memory(void);
void pretended_gpu_open(void);
void pretended_gpu_close(void);
}

namespace rondo {
namespace {

constexpr std::size_t length = 100;  // of a block

// As long as one lives the processor may touch it, as an MPI library that knows of GPUs does.
class Opened {
 public:
  Opened() { pretended_gpu_open(); }
  ~Opened() { pretended_gpu_close(); }
  Opened(const Opened &) = delete;
  Opened &operator=(const Opened &) = delete;
};

int *on_gpu() {
  return static_cast<int *>(pretended_gpu_memory());
}

class DeviceMemory : public testing::Test {
 protected:
  DeviceMemory() : sent(ranks() * length), received(ranks() * length, -1) {}
  ~DeviceMemory() override {
    if (request != RONDO_REQUEST_NULL) RONDO_Request_free(&request);
  }

  static std::size_t ranks() { return static_cast<std::size_t>(world_ranks()); }

  Refusal init(const int *send, const Hints &hints) {
    return refused(RONDO_Alltoall_init(send, length, MPI_INT, received.data(), length, MPI_INT, MPI_COMM_WORLD,
                                       hints.info(), &request));
  }
  Refusal rebind(const int *send) { return refused(RONDO_Rebind(&request, send, received.data())); }

  std::string wire() {
    RONDO_Report report{};
    RONDO_Request_report(request, &report, sizeof(report));
    return report.wire;
  }

  // With data in `send`, which may be memory of the GPU.
  void expect_exchange(int *send) {
    const Opened opened;
    for (std::size_t i = 0; i < ranks() * length; ++i) send[i] = world_rank() * 1000 + static_cast<int>(i);
    std::fill(received.begin(), received.end(), -1);
    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (std::size_t i = 0; i < ranks() * length; ++i) {
      const std::size_t first = static_cast<std::size_t>(world_rank()) * length;
      ASSERT_EQ(received[i], static_cast<int>(i / length * 1000 + first + i % length)) << i;
    }
  }

  std::vector<int> sent;
  std::vector<int> received;
  RONDO_Request request = RONDO_REQUEST_NULL;
};

TEST_F(DeviceMemory, OfOneRankMeansANativePlanOfAll) {
  int *const send = world_rank() == 0 ? on_gpu() : sent.data();

  ASSERT_EQ(init(send, {}).code, MPI_SUCCESS);

  EXPECT_EQ(wire(), "native");
  expect_exchange(send);
}

TEST_F(DeviceMemory, IsTakenByNativeAskedForByName) {
  ASSERT_EQ(init(on_gpu(), by("native")).code, MPI_SUCCESS);

  expect_exchange(on_gpu());
}

TEST_F(DeviceMemory, OfOneRankIsRefusedByAllWhereAnotherAlgorithmIsNamed) {
  for (const char *algorithm : {"spread_out", "tuna", "padded_bruck"}) {
    const Refusal refusal = init(world_rank() == 0 ? on_gpu() : sent.data(), by(algorithm));

    EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER) << algorithm;
    EXPECT_EQ(refusal.message,
              std::string("a buffer is memory of a GPU, which native exchanges, but not ") + algorithm);
    EXPECT_EQ(request, RONDO_REQUEST_NULL);
  }
  ASSERT_EQ(init(sent.data(), by("tuna")).code, MPI_SUCCESS);
  expect_exchange(sent.data());
}

class DeviceMemoryBound : public DeviceMemory, public testing::WithParamInterface<Way> {};
INSTANTIATE_TEST_SUITE_P(, DeviceMemoryBound,
                         testing::ValuesIn(std::vector<Way>{
                             {"spread_out", "packed"}, {"spread_out", "shared"}, {"tuna", "datatype"}}),
                         way_name);

TEST_P(DeviceMemoryBound, IsNotReboundToAndLeavesThePlanAsItWas) {
  ASSERT_EQ(init(sent.data(), by(GetParam())).code, MPI_SUCCESS);

  const Refusal refusal = rebind(on_gpu());

  EXPECT_EQ(refusal.code, RONDO_ERR_BUFFER);
  EXPECT_EQ(refusal.message, "a buffer is memory of a GPU, which native plans take, but not this one");
  expect_exchange(sent.data());
}

TEST_F(DeviceMemory, NativePlansAreReboundToItAndBack) {
  ASSERT_EQ(init(sent.data(), by("native")).code, MPI_SUCCESS);

  EXPECT_EQ(rebind(on_gpu()).code, MPI_SUCCESS);
  expect_exchange(on_gpu());
  EXPECT_EQ(rebind(sent.data()).code, MPI_SUCCESS);
  expect_exchange(sent.data());
}

}  // namespace
}  // namespace rondo
