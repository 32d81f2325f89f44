// Derived datatypes on either side: what arrives, and what is left alone, is as with MPI_Alltoallv.

#include <array>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/type.hpp"

namespace rondo {
namespace {

// One int at each of these offsets, in ints, in this order.
Type ints_at(std::vector<int> offsets) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_indexed_block(static_cast<int>(offsets.size()), 1, offsets.data(), MPI_INT, &type);
  return Type(type);
}

class DatatypesBy : public testing::TestWithParam<Way> {
 protected:
  static void expect_restarts(Comparison comparison) {
    Request plan = comparison.plan(by(GetParam()));

    comparison.expect_restarts(plan);
  }
};
INSTANTIATE_TEST_SUITE_P(, DatatypesBy,
                         testing::ValuesIn(std::vector<Way>{{"linear", "shared"},
                                                            {"linear", "attached"},
                                                            {"linear", "packed"},
                                                            {"tuna", "shared"},
                                                            {"tuna", "mixed"},
                                                            {"native"},
                                                            {"linear", "datatype"},
                                                            {"tuna", "datatype"}}),
                         way_name);

TEST_P(DatatypesBy, Contiguous) {
  const Type three_ints = contiguous(3);

  expect_restarts({sends(varied, {.gap = 1}, three_ints), receives(varied, {.gap = 2}, three_ints)});
}

TEST_P(DatatypesBy, VectorWithGaps) {
  const Type every_other = vector(3, 1, 2);

  expect_restarts({sends(varied, {}, every_other), receives(varied, {.gap = 1, .backwards = true}, every_other)});
}

#if MPI_VERSION >= 4
// MPI tells how such a type was made by calls of its own only.
TEST_P(DatatypesBy, VectorWithLargeCounts) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector_c(3, 1, 2, MPI_INT, &type);
  const Type every_other(type);

  expect_restarts({sends(varied, {}, every_other), receives(varied, {.gap = 1}, every_other)});
}
#endif

TEST_P(DatatypesBy, LongBlocksWithGaps) {
  const Type every_other = vector(3, 1, 2);

  for (const CountRule rule : {long_and_short, very_long_and_short}) {
    expect_restarts({sends(rule, {}, every_other), receives(rule, {.gap = 1}, every_other)});
  }
}

TEST_P(DatatypesBy, LargerExtent) {
  const Type padded = resized(contiguous(2), 0, 5 * int_size);

  expect_restarts({sends(varied, {.gap = 1}, padded), receives(varied, {}, padded)});
}

// Column c of a matrix begins one int after column c - 1: the ranges interleave, and no byte is shared.
TEST_P(DatatypesBy, SmallerExtentInterleavesColumns) {
  const Type column = resized(vector(4, 1, 40), 0, int_size);

  expect_restarts({sends(varied, {}, column), receives(varied, {}, column)});
}

TEST_P(DatatypesBy, NegativeLowerBound) {
  const Type around = ints_at({-2, 1});

  expect_restarts({sends(varied, {}, around), receives(varied, {.gap = 1}, around)});
}

TEST_P(DatatypesBy, LowerBoundBeforeTheData) {
  const Type late = resized(contiguous(2), -3 * int_size, 6 * int_size);

  expect_restarts({sends(varied, {}, late), receives(varied, {.first = 1}, late)});
}

// As long as its extent, but not in order.
TEST_P(DatatypesBy, PermutedInts) {
  const Type permuted = ints_at({2, 0, 3, 1});
  const Type plain = contiguous(4);

  expect_restarts({sends(varied, {}, permuted), receives(varied, {}, plain)});
  expect_restarts({sends(varied, {}, plain), receives(varied, {}, permuted)});
}

TEST_P(DatatypesBy, ZeroSize) {
  const Type nothing = contiguous(0);
  const Type blocks_of_nothing = vector(2, 0, 5);  // with a true extent on MPICH
  const Type row_of_nothing = resized(nothing, 0, int_size);

  for (const Type *type : {&nothing, &blocks_of_nothing, &row_of_nothing}) {
    expect_restarts({sends(varied, {}, *type), receives(varied, {}, *type)});
  }
}

TEST_P(DatatypesBy, DifferentTypesOfTheSameSignature) {
  const auto fourfold = [](int source, int destination) { return 4 * varied(source, destination); };
  const Type strided = vector(2, 2, 3);

  expect_restarts({sends(fourfold, {.gap = 1}), receives(varied, {.gap = 1}, strided)});
  expect_restarts({sends(varied, {}, strided), receives(fourfold)});
}

TEST_P(DatatypesBy, InPlaceWithGaps) {
  const Type every_other = vector(2, 1, 2);

  expect_restarts(Comparison::in_place(receives(symmetric, {.gap = 1}, every_other)));
}

TEST_P(DatatypesBy, TypeFreedAfterInit) {
  Type every_other = vector(3, 1, 2);
  const Type same = vector(3, 1, 2);
  Comparison comparison(sends(varied, {}, every_other), receives(varied, {}, every_other));

  Request plan = comparison.plan(by(GetParam()));
  every_other.free();
  comparison.send.type = same;
  comparison.receive.type = same;

  comparison.expect_restarts(plan);
}

TEST_P(DatatypesBy, AlltoallOfColumns) {
  const Type column = resized(vector(3, 1, 20), 0, int_size);
  Comparison comparison(sends(three, {}, column), receives(three, {}, column));

  Request plan = comparison.plan_alltoall(by(GetParam()));

  comparison.expect_restarts(plan);
}

// Algorithms for blocks of one size, which may rest in the receive buffer, as elements of its type.
class UniformDatatypesBy : public DatatypesBy {};
INSTANTIATE_TEST_SUITE_P(, UniformDatatypesBy,
                         testing::ValuesIn(std::vector<Way>{{"zero_copy_bruck", "datatype"},
                                                            {"zero_copy_bruck", "packed"},
                                                            {"zero_copy_bruck", "mixed"},
                                                            {"zero_rotation_bruck", "datatype"},
                                                            {"modified_bruck", "datatype"},
                                                            {"basic_bruck", "datatype"},
                                                            {"padded_alltoall", "datatype"}}),
                         way_name);

TEST_P(UniformDatatypesBy, VectorWithGaps) {
  const Type every_other = vector(3, 1, 2);

  expect_restarts({sends(three, {}, every_other), receives(three, {.gap = 1, .backwards = true}, every_other)});
}

TEST_P(UniformDatatypesBy, DifferentTypesOfTheSameSignature) {
  const Type every_other = vector(2, 1, 2);
  const Type permuted = ints_at({3, 0});

  expect_restarts({sends(three, {}, every_other), receives(three, {.gap = 4}, permuted)});
}

TEST_P(UniformDatatypesBy, InPlaceWithGaps) {
  const Type every_other = vector(2, 1, 2);

  expect_restarts(Comparison::in_place(receives(three, {.gap = 1}, every_other)));
}

}  // namespace
}  // namespace rondo
