// A datatype for each pair of ranks: what arrives, and what is left alone, is as with MPI_Alltoallw.

#include <array>
#include <functional>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

// Committed types of two ints each, in different arrangements.
class PairsOfInts {
 public:
  PairsOfInts() {
    MPI_Type_contiguous(2, MPI_INT, &types_[0]);
    MPI_Type_vector(2, 1, 3, MPI_INT, &types_[1]);
    const std::array<int, 2> backwards{4, 1};
    MPI_Type_create_indexed_block(2, 1, backwards.data(), MPI_INT, &types_[2]);
    MPI_Type_create_resized(types_[1], -8, 40, &types_[3]);
    for (MPI_Datatype &type : types_) MPI_Type_commit(&type);
  }
  ~PairsOfInts() { free(); }
  PairsOfInts(const PairsOfInts &) = delete;
  PairsOfInts &operator=(const PairsOfInts &) = delete;

  void free() {
    for (MPI_Datatype &type : types_) {
      if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    }
  }
  [[nodiscard]] MPI_Datatype operator[](int index) const { return types_[static_cast<std::size_t>(index) % 4]; }

 private:
  std::array<MPI_Datatype, 4> types_{};
};

template <class Count, class Displacement>
struct Side {
  std::vector<Count> counts;
  std::vector<Displacement> displacements;  // bytes
  std::vector<MPI_Datatype> types;
};

// Blocks lie in rooms of 512 bytes, the last rank's first; `turn` says which type is whose.
template <class Count, class Displacement>
Side<Count, Displacement> side(const PairsOfInts &types, int turn, const std::function<int(int peer)> &count) {
  Side<Count, Displacement> result;
  for (int peer = 0; peer < world_ranks(); ++peer) {
    result.counts.push_back(count(peer));
    result.displacements.push_back(512 * (world_ranks() - 1 - peer) + 64 + 4 * (peer % 3));
    result.types.push_back(count(peer) == 0 ? MPI_DATATYPE_NULL : types[turn * peer + world_rank()]);
  }
  return result;
}

class AlltoallwBy : public testing::TestWithParam<Way> {
 protected:
  using IntSide = Side<int, int>;

  int init(const void *from, const IntSide &send, const IntSide &receive, RONDO_Request *request) {
    return RONDO_Alltoallw_init(from, send.counts.data(), send.displacements.data(), send.types.data(), received.data(),
                                receive.counts.data(), receive.displacements.data(), receive.types.data(),
                                MPI_COMM_WORLD, by(GetParam()).info(), request);
  }

  // Rondo's request beside MPI's call; this one needs types for empty blocks, too.
  void expect_restarts(RONDO_Request request, bool in_place, IntSide send, IntSide receive) {
    for (IntSide *given : {&send, &receive}) {
      for (MPI_Datatype &type : given->types) type = type == MPI_DATATYPE_NULL ? MPI_INT : type;
    }
    for (int round = 0; round < 3; ++round) {
      std::iota(sent.begin(), sent.end(), 1000000 * world_rank() + 1000 * round);
      std::iota(received.begin(), received.end(), 500000 + 1000000 * world_rank() + 1000 * round);
      std::vector<int> expected = received;
      const std::vector<int> untouched = sent;
      MPI_Alltoallw(in_place ? MPI_IN_PLACE : sent.data(), send.counts.data(), send.displacements.data(),
                    send.types.data(), expected.data(), receive.counts.data(), receive.displacements.data(),
                    receive.types.data(), MPI_COMM_WORLD);

      ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
      ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);

      ASSERT_EQ(received, expected) << "in round " << round;
      ASSERT_EQ(sent, untouched) << "in round " << round;
    }
    EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
  }

  static int sent_to(int peer) { return varied(world_rank(), peer); }
  static int received_from(int peer) { return varied(peer, world_rank()); }

  PairsOfInts types;
  std::vector<int> sent = std::vector<int>(static_cast<std::size_t>(128 * world_ranks() + 64));
  std::vector<int> received = sent;
};
INSTANTIATE_TEST_SUITE_P(, AlltoallwBy,
                         testing::ValuesIn(std::vector<Way>{{"linear", "shared"},
                                                            {"linear", "attached"},
                                                            {"linear", "packed"},
                                                            {"linear", "datatype"},
                                                            {"tuna", "mixed"},
                                                            {"tuna", "datatype"},
                                                            {"two_phase_bruck", "datatype"},
                                                            {"native"}}),
                         way_name);

TEST_P(AlltoallwBy, DifferentTypesAtBothEnds) {
  const IntSide send = side<int, int>(types, 1, sent_to);
  const IntSide receive = side<int, int>(types, 3, received_from);
  RONDO_Request request = RONDO_REQUEST_NULL;

  ASSERT_EQ(init(sent.data(), send, receive, &request), MPI_SUCCESS);

  expect_restarts(request, false, send, receive);
}

TEST_P(AlltoallwBy, InPlace) {
  const IntSide receive = side<int, int>(
      types, 1, [](int peer) { return symmetric(std::min(peer, world_rank()), std::max(peer, world_rank())); });
  RONDO_Request request = RONDO_REQUEST_NULL;

  if (std::string_view(GetParam().algorithm) == "native") {
    EXPECT_EQ(init(MPI_IN_PLACE, {}, receive, &request), RONDO_ERR_ALGORITHM);  // docs/limits.md says why
    return;
  }
  ASSERT_EQ(init(MPI_IN_PLACE, {}, receive, &request), MPI_SUCCESS);

  expect_restarts(request, true, receive, receive);
}

TEST_P(AlltoallwBy, TypesFreedAfterInit) {
  const IntSide send = side<int, int>(types, 1, sent_to);
  const IntSide receive = side<int, int>(types, 2, received_from);
  PairsOfInts freed;
  RONDO_Request request = RONDO_REQUEST_NULL;

  ASSERT_EQ(init(sent.data(), side<int, int>(freed, 1, sent_to), side<int, int>(freed, 2, received_from), &request),
            MPI_SUCCESS);
  freed.free();

  expect_restarts(request, false, send, receive);
}

TEST_P(AlltoallwBy, LargeCountInterface) {
  const auto send = side<MPI_Count, MPI_Aint>(types, 1, sent_to);
  const auto receive = side<MPI_Count, MPI_Aint>(types, 3, received_from);
  RONDO_Request request = RONDO_REQUEST_NULL;

  ASSERT_EQ(RONDO_Alltoallw_init_c(sent.data(), send.counts.data(), send.displacements.data(), send.types.data(),
                                   received.data(), receive.counts.data(), receive.displacements.data(),
                                   receive.types.data(), MPI_COMM_WORLD, by(GetParam()).info(), &request),
            MPI_SUCCESS);

  expect_restarts(request, false, side<int, int>(types, 1, sent_to), side<int, int>(types, 3, received_from));
}

class BadAlltoallw : public testing::Test {
 protected:
  Refusal refused_init(const MPI_Datatype *types) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 1);
    std::vector<int> displacements(counts.size());
    for (std::size_t i = 0; i < counts.size(); ++i) displacements[i] = static_cast<int>(sizeof(int) * i);
    std::vector<int> sent(counts.size());
    std::vector<int> received(counts.size());
    const std::vector<MPI_Datatype> ints(counts.size(), MPI_INT);
    return refused(RONDO_Alltoallw_init(sent.data(), counts.data(), displacements.data(), types, received.data(),
                                        counts.data(), displacements.data(), ints.data(), MPI_COMM_WORLD, MPI_INFO_NULL,
                                        &request));
  }
};

TEST_F(BadAlltoallw, NoTypes) {
  const Refusal refusal = refused_init(nullptr);

  EXPECT_EQ(refusal.code, RONDO_ERR_TYPE);
  EXPECT_EQ(refusal.message, "rank 0: sendtypes is null");
}

TEST_F(BadAlltoallw, NullTypeWithACount) {
  std::vector<MPI_Datatype> types(static_cast<std::size_t>(world_ranks()), MPI_INT);
  types.back() = MPI_DATATYPE_NULL;

  const Refusal refusal = refused_init(types.data());

  EXPECT_EQ(refusal.code, RONDO_ERR_TYPE);
  EXPECT_EQ(refusal.message, "rank 0: the send datatype is MPI_DATATYPE_NULL");
}

}  // namespace
}  // namespace rondo
