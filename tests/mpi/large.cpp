// More than an int counts: offsets and messages beyond 2^31 bytes.
//
// Memory is only reserved, or one piece of it is mapped again and again, so that little of it is really there.

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"
#include "tests/mpi/type.hpp"

namespace rondo {
namespace {

constexpr std::int64_t gibibyte = std::int64_t{1} << 30;

// Address space whose pages are there once they are touched.
class Reserved {
 public:
  explicit Reserved(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    address_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address_ == MAP_FAILED) throw std::bad_alloc();
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

  [[nodiscard]] char *data() const { return static_cast<char *>(address_); }

 private:
  std::size_t bytes_;
  void *address_;
};

MPI_Datatype many_bytes(std::int64_t bytes) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(bytes), MPI_CHAR, &type);
  return type;
}

// A block for each rank on either side, so far apart, that begins with the letter of its sender.
struct FarBlocks {
  explicit FarBlocks(std::int64_t bytes)
      : distance(bytes), send(distance * world_ranks()), receive(distance * world_ranks()) {
    for (int peer = 0; peer < world_ranks(); ++peer) displacements.push_back(peer * distance);
    for (const MPI_Aint at : displacements) send.data()[at] = static_cast<char>('a' + world_rank());
  }

  void expect_letters() const {
    for (int peer = 0; peer < world_ranks(); ++peer) EXPECT_EQ(receive.data()[peer * distance], 'a' + peer);
  }

  std::int64_t distance;
  Reserved send, receive;
  std::vector<MPI_Aint> displacements;
};

class Large : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, Large,
                         testing::ValuesIn(std::vector<Way>{
                             {"linear", "packed"}, {"linear", "shared"}, {"tuna", "packed"}, {"tuna", "shared"}}),
                         way_name);

TEST_P(Large, DisplacementsBeyondAnInt) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const FarBlocks blocks(3 * gibibyte);
  const std::vector<MPI_Count> counts(ranks, 5);

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init_c(blocks.send.data(), counts.data(), blocks.displacements.data(), MPI_CHAR,
                                   blocks.receive.data(), counts.data(), blocks.displacements.data(), MPI_CHAR,
                                   MPI_COMM_WORLD, by(GetParam()).info(), &request),
            MPI_SUCCESS);
  Request(request).run();

  blocks.expect_letters();
}

TEST_P(Large, DisplacementsInExtentsOfALongType) {
  const Type page(many_bytes(1 << 20));
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const Reserved send(3 * gibibyte * world_ranks());
  const Reserved receive(3 * gibibyte * world_ranks());
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

// ---- alltoallw ---------------------------------------------------------------------------------------------------

TEST_P(Large, ByteDisplacementsOfAlltoallw) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const FarBlocks blocks(3 * gibibyte);
  const std::vector<MPI_Count> counts(ranks, 5);
  const std::vector<MPI_Datatype> types(ranks, MPI_CHAR);

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallw_init_c(blocks.send.data(), counts.data(), blocks.displacements.data(), types.data(),
                                   blocks.receive.data(), counts.data(), blocks.displacements.data(), types.data(),
                                   MPI_COMM_WORLD, by(GetParam()).info(), &request),
            MPI_SUCCESS);
  Request(request).run();

  blocks.expect_letters();
}

// Two bytes, so far apart.
MPI_Datatype far_apart(std::int64_t distance) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(2, 1, static_cast<MPI_Aint>(distance), MPI_CHAR, &type);
  return type;
}

class LargeHoles : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, LargeHoles,
                         testing::ValuesIn(std::vector<Way>{
                             {"linear", "packed"}, {"linear", "shared"}, {"linear", "datatype"}, {"tuna", "packed"}}),
                         way_name);

// Two elements of a type whose extent no int counts.
TEST_P(LargeHoles, InsideOfElements) {
  const Type type(far_apart(5 * gibibyte));
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const FarBlocks blocks(11 * gibibyte);
  const std::vector<MPI_Count> counts(ranks, 2);
  const std::vector<MPI_Datatype> types(ranks, type);
  const std::int64_t last_byte = 10 * gibibyte + 1;
  for (const MPI_Aint at : blocks.displacements) {
    blocks.send.data()[at + last_byte] = static_cast<char>('A' + world_rank());
  }

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallw_init_c(blocks.send.data(), counts.data(), blocks.displacements.data(), types.data(),
                                   blocks.receive.data(), counts.data(), blocks.displacements.data(), types.data(),
                                   MPI_COMM_WORLD, by(GetParam()).info(), &request),
            MPI_SUCCESS);
  Request(request).run();

  blocks.expect_letters();
  for (int peer = 0; peer < world_ranks(); ++peer) {
    EXPECT_EQ(blocks.receive.data()[blocks.displacements[static_cast<std::size_t>(peer)] + last_byte], 'A' + peer);
  }
}

// ---- Bytes ---------------------------------------------------------------------------------------------------------

// No block has more bytes than an int counts, but all together have. All but the end of the last one is the same
// memory again and again.
TEST_P(LargeMessage, BlocksWhoseTotalIsBeyondAnInt) {
  if (world_ranks() == 1) GTEST_SKIP() << "a copy to oneself is no message";
  constexpr std::int64_t mebibyte = 1 << 20;
  constexpr int elements = 1040;
  const Type type(many_bytes(mebibyte));
  const std::int64_t total = world_ranks() * elements * mebibyte;
  Reserved send(total);
  Reserved receive(total);
  send.fold(total - mebibyte);
  receive.fold(total - mebibyte);
  send.data()[mebibyte - 1] = static_cast<char>('a' + world_rank());
  send.data()[total - 1] = static_cast<char>('A' + world_rank());

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoall_init(send.data(), elements, type, receive.data(), elements, type, MPI_COMM_WORLD,
                                by(GetParam()).info(), &request),
            MPI_SUCCESS);
  Request(request).run();

  const int last = world_ranks() - 1;
  EXPECT_EQ(receive.data()[total - 1], (world_rank() == last ? 'A' : 'a') + last);
}

// Rank 0 sends the last rank three elements of 768 MiB each.
TEST_P(LargeMessage, OneBlockOfAFewElementsByAlltoallw) {
  if (world_ranks() == 1) GTEST_SKIP() << "a copy to oneself is no message";
  constexpr std::int64_t block = 9 * gibibyte / 4;
  const int last = world_ranks() - 1;
  const Type type(many_bytes(block / 3));
  Reserved send(block);
  Reserved receive(block);
  send.fold(block - (1 << 20));
  receive.fold(block - (1 << 20));
  send.data()[block - 1] = 'z';
  const auto ranks = static_cast<std::size_t>(world_ranks());
  std::vector<int> send_counts(ranks, 0);
  std::vector<int> receive_counts(ranks, 0);
  const std::vector<int> zeros(ranks, 0);
  const std::vector<MPI_Datatype> types(ranks, type);
  if (world_rank() == 0) send_counts.back() = 3;
  if (world_rank() == last) receive_counts.front() = 3;

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallw_init(send.data(), send_counts.data(), zeros.data(), types.data(), receive.data(),
                                 receive_counts.data(), zeros.data(), types.data(), MPI_COMM_WORLD,
                                 by(GetParam()).info(), &request),
            MPI_SUCCESS);
  Request(request).run();

  EXPECT_EQ(receive.data()[block - 1], world_rank() == last ? 'z' : 0);
}

// ---- What is refused -----------------------------------------------------------------------------------------------

TEST(LargeNative, DisplacementBeyondAnIntIsRefused) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const std::vector<MPI_Count> counts(ranks, 1);
  std::vector<MPI_Aint> displacements(ranks);
  for (std::size_t i = 0; i < ranks; ++i) displacements[i] = static_cast<MPI_Aint>(i + 3) * gibibyte;
  char nothing = 0;
  char place = 0;

  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal =
      refused(RONDO_Alltoallv_init_c(&nothing, counts.data(), displacements.data(), MPI_CHAR, &place, counts.data(),
                                     displacements.data(), MPI_CHAR, MPI_COMM_WORLD, by("native").info(), &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_EQ(refusal.message, "rank 0: native: the MPI library's call takes no displacement of 3221225472");
  EXPECT_EQ(refusal.values.value, 3 * gibibyte);
}

// Of so many runs nothing is known, MPI_Pack counts in an int, and there is nothing smaller than an element to pack.
TEST(LargeElement, OfManyRunsIsRefusedWhereItMustBePacked) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_vector(1'000'001, 2500, 4096, MPI_BYTE, &made);
  const Type type(made);
  char nothing = 0;
  char place = 0;

  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal = refused(RONDO_Alltoall_init(&nothing, 1, type, &place, 1, type, MPI_COMM_SELF,
                                                      by(Way{"linear", "packed"}).info(), &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_TYPE);
  EXPECT_EQ(refusal.message,
            "rank 0: an element of 2500002500 bytes with gaps cannot be packed: MPI_Pack takes at most 2147483647");
  EXPECT_EQ(refusal.values.value, 2'500'002'500);
}

TEST(LargeElement, WithGapsIsCopiedRunByRun) {
  const Type half(many_bytes(5 * gibibyte / 4));
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_hvector(2, 1, 2 * gibibyte, half, &made);
  const Type type(made);
  constexpr std::int64_t span = 2 * gibibyte + 5 * gibibyte / 4;
  Reserved send(span);
  Reserved receive(span);
  send.fold(span - (1 << 20));
  receive.fold(span - (1 << 20));
  send.data()[span - 1] = 'z';

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoall_init(send.data(), 1, type, receive.data(), 1, type, MPI_COMM_SELF, MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  Request(request).run();

  EXPECT_EQ(receive.data()[span - 1], 'z');
}

}  // namespace
}  // namespace rondo
