// Datatypes that few programs have and MPI allows all the same: elements that overlap where they are sent, extents that
// are negative, sizes of zero, absolute addresses, and the constructors for structures and parts of arrays.

#include <array>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/type.hpp"

namespace rondo {
namespace {

// An int, a double and two chars, with padding between them and none at the end.
Type structure() {
  const std::array<int, 3> lengths{1, 1, 2};
  const std::array<MPI_Aint, 3> offsets{0, 8, 20};
  const std::array<MPI_Datatype, 3> types{MPI_INT, MPI_DOUBLE, MPI_CHAR};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(3, lengths.data(), offsets.data(), types.data(), &type);
  return Type(type);
}

// The inner 2 x 3 of a matrix of 4 x 5.
Type inner_matrix() {
  const std::array<int, 2> sizes{4, 5};
  const std::array<int, 2> inner{2, 3};
  const std::array<int, 2> begin{1, 1};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(2, sizes.data(), inner.data(), begin.data(), MPI_ORDER_C, MPI_INT, &type);
  return Type(type);
}

// What the second of two processes has of a vector of 10 that is dealt out two by two.
Type dealt_out() {
  const int size = 10;
  const int how = MPI_DISTRIBUTE_CYCLIC;
  const int two = 2;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_darray(2, 1, 1, &size, &how, &two, &two, MPI_ORDER_C, MPI_INT, &type);
  return Type(type);
}

int ints_of(const Type &type) {
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  return bytes / static_cast<int>(int_size);
}

class UnusualTypesBy : public testing::TestWithParam<Way> {
 protected:
  static void expect_restarts(Comparison comparison) {
    Request plan = comparison.plan(by(GetParam()));

    comparison.expect_restarts(plan);
  }

  // From the type to plain ints, and back.
  static void expect_both_ways(const Type &type) {
    const Type plain = contiguous(ints_of(type));
    expect_restarts({sends(varied, {}, type), receives(varied, {.gap = 1}, plain)});
    expect_restarts({sends(varied, {}, plain), receives(varied, {.gap = 1}, type)});
  }
};
INSTANTIATE_TEST_SUITE_P(, UnusualTypesBy,
                         testing::ValuesIn(std::vector<Way>{{"linear", "shared"},
                                                            {"linear", "packed"},
                                                            {"linear", "datatype"},
                                                            {"tuna", "mixed"},
                                                            {"tuna", "datatype"},
                                                            {"native"}}),
                         way_name);

TEST_P(UnusualTypesBy, Structure) {
  const Type record = structure();

  expect_restarts({sends(varied, {}, record), receives(varied, {.gap = 1}, record)});
}

TEST_P(UnusualTypesBy, Subarray) {
  expect_both_ways(inner_matrix());
}

TEST_P(UnusualTypesBy, DistributedArray) {
  expect_both_ways(dealt_out());
}

// Each element begins one int after the one before, and so does each block.
TEST_P(UnusualTypesBy, ElementsThatOverlapWhereTheyAreSent) {
  const Type window = resized(contiguous(4), 0, int_size);
  const Type plain = contiguous(4);

  expect_restarts({sends(varied, {}, window), receives(varied, {}, plain)});
}

TEST_P(UnusualTypesBy, OneElementThatIsSentAgainAndAgain) {
  const Type still = resized(contiguous(2), 0, 0);
  const Type plain = contiguous(2);

  expect_restarts({sends(varied, {}, still), receives(varied, {}, plain)});
}

TEST_P(UnusualTypesBy, RunsThatOverlapInsideAnElementThatIsSent) {
  const Type overlapping = vector(3, 2, 1);
  const Type plain = contiguous(6);

  expect_restarts({sends(varied, {}, overlapping), receives(varied, {}, plain)});
}

TEST_P(UnusualTypesBy, NegativeStride) {
  const Type backwards = vector(3, 1, -2);

  expect_both_ways(backwards);
}

TEST_P(UnusualTypesBy, NegativeExtent) {
  const Type backwards = resized(contiguous(2), 0, -3 * int_size);

  expect_both_ways(backwards);
}

TEST_P(UnusualTypesBy, NothingWithAnExtent) {
  const Type nothing = resized(contiguous(0), -8, 32);

  expect_restarts({sends(varied, {}, nothing), receives(varied, {}, nothing)});
}

TEST_P(UnusualTypesBy, ElementsOfNothingMeetNoElements) {
  const Type nothing = contiguous(0);

  expect_restarts({sends(varied, {}, nothing), receives(none)});
}

// ---- Absolute addresses --------------------------------------------------------------------------------------------

// Two ints, the second two ints behind the first, at this address and with an extent of four.
Type pair_at(const void *address) {
  MPI_Aint absolute = 0;
  MPI_Get_address(address, &absolute);
  const std::array<MPI_Aint, 2> addresses{absolute, absolute + 2 * int_size};
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Datatype wide = MPI_DATATYPE_NULL;
  MPI_Type_create_hindexed_block(2, 1, addresses.data(), MPI_INT, &pair);
  MPI_Type_create_resized(pair, absolute, 4 * int_size, &wide);
  MPI_Type_free(&pair);
  return Type(wide);
}

// Of each rank for each other a pair, every fourth int of a vector being the first of one.
class BottomBy : public testing::TestWithParam<Way> {
 protected:
  BottomBy() {
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = 1000 * world_rank() + static_cast<int>(i);
  }

  // Calls run() for one exchange after the other.
  template <class Run>
  void expect_each_exchanged(Run &&run) {
    for (int round = 0; round < 2; ++round) {
      for (int &value : sent) value += 100000;
      std::fill(received.begin(), received.end(), -1);
      run();
      std::vector<int> expected(received.size(), -1);
      for (int peer = 0; peer < world_ranks(); ++peer) {
        const auto at = 4 * static_cast<std::size_t>(peer);
        expected[at] = 100000 * (round + 1) + 1000 * peer + 4 * world_rank();
        expected[at + 2] = expected[at] + 2;
      }
      EXPECT_EQ(received, expected) << "in round " << round;
    }
  }

  // One exchange that starts again.
  void expect_exchanged(RONDO_Request request) {
    Request plan(request);
    expect_each_exchanged([&] { plan.run(); });
  }

  const std::size_t ranks = static_cast<std::size_t>(world_ranks());
  const std::vector<int> ones = std::vector<int>(ranks, 1);
  std::vector<int> sent = std::vector<int>(4 * ranks);
  std::vector<int> received = sent;
};
INSTANTIATE_TEST_SUITE_P(
    , BottomBy,
    testing::ValuesIn(std::vector<Way>{
        {"linear", "shared"}, {"linear", "packed"}, {"linear", "datatype"}, {"tuna", "datatype"}, {"native"}}),
    way_name);

TEST_P(BottomBy, Alltoallv) {
  const Type from = pair_at(sent.data());
  const Type to = pair_at(received.data());
  std::vector<int> displacements(ranks);
  std::iota(displacements.begin(), displacements.end(), 0);

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init(MPI_BOTTOM, ones.data(), displacements.data(), from, MPI_BOTTOM, ones.data(),
                                 displacements.data(), to, MPI_COMM_WORLD, by(GetParam()).info(), &request),
            MPI_SUCCESS);

  expect_exchanged(request);
}

TEST_P(BottomBy, Alltoallw) {
  std::vector<Type> types;
  std::vector<MPI_Datatype> from;
  std::vector<MPI_Datatype> to;
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    from.push_back(types.emplace_back(pair_at(&sent[4 * peer])));
    to.push_back(types.emplace_back(pair_at(&received[4 * peer])));
  }
  const std::vector<int> zeros(ranks, 0);

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallw_init(MPI_BOTTOM, ones.data(), zeros.data(), from.data(), MPI_BOTTOM, ones.data(),
                                 zeros.data(), to.data(), MPI_COMM_WORLD, by(GetParam()).info(), &request),
            MPI_SUCCESS);

  expect_exchanged(request);
}

TEST_P(BottomBy, Alltoall) {
  const Type from = pair_at(sent.data());
  const Type to = pair_at(received.data());

  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(
      RONDO_Alltoall_init(MPI_BOTTOM, 1, from, MPI_BOTTOM, 1, to, MPI_COMM_WORLD, by(GetParam()).info(), &request),
      MPI_SUCCESS);

  expect_exchanged(request);
}

class VaryingBottomBy : public BottomBy {};
INSTANTIATE_TEST_SUITE_P(, VaryingBottomBy,
                         testing::ValuesIn(std::vector<Way>{{"linear", "shared"}, {"linear", "packed"}}), way_name);

TEST_P(VaryingBottomBy, Alltoallv) {
  const Type from = pair_at(sent.data());
  const Type to = pair_at(received.data());
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(from, to, MPI_COMM_WORLD, by(GetParam()).info(), &request), MPI_SUCCESS);
  const std::vector<MPI_Count> counts(ranks, 1);

  expect_each_exchanged([&] {
    ASSERT_EQ(RONDO_Start_counts(&request, MPI_BOTTOM, counts.data(), nullptr), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Received_into(request, MPI_BOTTOM, world_ranks(), nullptr, nullptr), MPI_SUCCESS);
  });

  RONDO_Request_free(&request);
}

}  // namespace
}  // namespace rondo
