// More than an int counts: offsets and messages beyond 2^31 bytes.
//
// Memory is only reserved, or one piece of it is mapped again and again, so that little of it is really there.

#include <sys/mman.h>
#include <unistd.h>

#include "tests/mpi/comparison.hpp"

namespace rondo {
namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

// Address space whose pages are there once they are touched.
class Reserved {
 public:
  explicit Reserved(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    address_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~Reserved() { munmap(address_, bytes_); }
  Reserved(const Reserved &) = delete;
  Reserved &operator=(const Reserved &) = delete;

  // Makes the first `bytes` the same memory again and again.
  void fold(std::int64_t bytes) {
    constexpr std::int64_t period = 1 << 20;
    const int file = memfd_create("folded", 0);
    ASSERT_EQ(ftruncate(file, period), 0);
    for (std::int64_t at = 0; at < bytes; at += period) {
      ASSERT_NE(mmap(data() + at, period, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0), MAP_FAILED);
    }
    close(file);
  }

  [[nodiscard]] bool there() const { return address_ != MAP_FAILED; }
  [[nodiscard]] char *data() const { return static_cast<char *>(address_); }

 private:
  std::size_t bytes_;
  void *address_;
};

class Large : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, Large,
                         testing::ValuesIn(std::vector<Way>{
                             {"linear", "packed"}, {"linear", "shared"}, {"tuna", "packed"}, {"tuna", "shared"}}),
                         way_name);

TEST_P(Large, DisplacementsBeyondAnInt) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const Reserved send(3 * gibibyte * world_ranks());
  const Reserved receive(3 * gibibyte * world_ranks());
  ASSERT_TRUE(send.there() && receive.there());
  const std::vector<MPI_Count> counts(ranks, 5);
  std::vector<MPI_Aint> displacements;
  for (int peer = 0; peer < world_ranks(); ++peer) displacements.push_back(peer * 3 * gibibyte);
  for (const MPI_Aint at : displacements) send.data()[at] = static_cast<char>('a' + world_rank());

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(
      RONDO_Alltoallv_init_c(send.data(), counts.data(), displacements.data(), MPI_CHAR, receive.data(), counts.data(),
                             displacements.data(), MPI_CHAR, MPI_COMM_WORLD, by(GetParam()).info(), &request),
      MPI_SUCCESS);
  Request(request).run();

  for (int peer = 0; peer < world_ranks(); ++peer) EXPECT_EQ(receive.data()[peer * 3 * gibibyte], 'a' + peer);
}

TEST_P(Large, DisplacementsInExtentsOfALongType) {
  MPI_Datatype page = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(1 << 20, MPI_CHAR, &page);
  MPI_Type_commit(&page);
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const Reserved send(3 * gibibyte * world_ranks());
  const Reserved receive(3 * gibibyte * world_ranks());
  ASSERT_TRUE(send.there() && receive.there());
  const std::vector<int> counts(ranks, 1);
  std::vector<int> displacements;
  for (int peer = 0; peer < world_ranks(); ++peer) displacements.push_back(peer * 3 << 10);
  send.data()[3 * gibibyte * (world_ranks() - 1)] = static_cast<char>('A' + world_rank());

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init(send.data(), counts.data(), displacements.data(), page, receive.data(), counts.data(),
                                 displacements.data(), page, MPI_COMM_WORLD, by(GetParam()).info(), &request),
            MPI_SUCCESS);
  Request(request).run();

  for (int peer = 0; peer < world_ranks(); ++peer) {
    EXPECT_EQ(receive.data()[peer * 3 * gibibyte], world_rank() == world_ranks() - 1 ? 'A' + peer : 0);
  }
  MPI_Type_free(&page);
}

class LargeMessage : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, LargeMessage, testing::ValuesIn(std::vector<Way>{{"linear", "packed"}, {"tuna", "shared"}}),
                         way_name);

// Rank 0 sends the last rank one block that no int counts. All of it but the end is the same memory again and again.
TEST_P(LargeMessage, OneBlock) {
  if (world_ranks() == 1) GTEST_SKIP() << "a copy to oneself is no message";
  constexpr std::int64_t folded = 2 * gibibyte;
  constexpr std::int64_t end = 4096;
  const int last = world_ranks() - 1;
  Reserved send(folded + end);
  Reserved receive(folded + end);
  ASSERT_TRUE(send.there() && receive.there());
  send.fold(folded);
  receive.fold(folded);
  send.data()[0] = 'a';
  send.data()[folded + end - 1] = 'z';
  std::vector<MPI_Count> send_counts(static_cast<std::size_t>(world_ranks()), 0);
  std::vector<MPI_Count> receive_counts = send_counts;
  const std::vector<MPI_Aint> zeros(send_counts.size(), 0);
  if (world_rank() == 0) send_counts.back() = folded + end;
  if (world_rank() == last) receive_counts.front() = folded + end;

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init_c(send.data(), send_counts.data(), zeros.data(), MPI_CHAR, receive.data(),
                                   receive_counts.data(), zeros.data(), MPI_CHAR, MPI_COMM_WORLD, by(GetParam()).info(),
                                   &request),
            MPI_SUCCESS);
  Request(request).run();

  EXPECT_EQ(receive.data()[0], world_rank() == last ? 'a' : 0);
  EXPECT_EQ(receive.data()[folded + end - 1], world_rank() == last ? 'z' : 0);
}

}  // namespace
}  // namespace rondo
