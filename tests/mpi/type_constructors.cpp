// The datatypes that MPI does not have, against type maps written out by hand.

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <numeric>
#include <vector>

#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

// A committed type, freed at the end.
class Made {
 public:
  explicit Made(MPI_Datatype type) : type_(type) {
    if (type != MPI_DATATYPE_NULL) MPI_Type_commit(&type_);
  }
  Made(const Made &) = delete;
  Made &operator=(const Made &) = delete;
  ~Made() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  [[nodiscard]] MPI_Datatype type() const { return type_; }

 private:
  MPI_Datatype type_;
};

using Map = std::vector<int>;

// Where the ints of a type of ints lie, in its own order, counted in ints from its address.
Map type_map(MPI_Datatype type) {
  constexpr int room = 400;
  std::vector<int> numbers(room);
  std::iota(numbers.begin(), numbers.end(), -room / 2);
  int bytes = 0;
  MPI_Type_size(type, &bytes);
  std::vector<int> packed(static_cast<std::size_t>(bytes) / sizeof(int) + 1);  // Open MPI refuses a null buffer
  int position = 0;
  MPI_Pack(numbers.data() + room / 2, 1, type, packed.data(), bytes, &position, MPI_COMM_SELF);
  packed.pop_back();
  return packed;
}

MPI_Aint extent(MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint result = 0;
  MPI_Type_get_extent(type, &lower_bound, &result);
  return result / static_cast<MPI_Aint>(sizeof(int));
}

MPI_Datatype bounded(MPI_Count bound, MPI_Count blocklength, MPI_Count stride, MPI_Datatype base = MPI_INT) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_EQ(RONDO_Type_create_bounded_vector(bound, blocklength, stride, base, &type), MPI_SUCCESS);
  return type;
}
MPI_Datatype circular(MPI_Count total, MPI_Count start, MPI_Count bound, MPI_Count blocklength, MPI_Count stride,
                      MPI_Datatype base = MPI_INT) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_EQ(RONDO_Type_create_circular_vector(total, start, bound, blocklength, stride, base, &type), MPI_SUCCESS);
  return type;
}
MPI_Datatype bucket(MPI_Count size, const std::vector<MPI_Count> &counts, MPI_Datatype base = MPI_INT) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  EXPECT_EQ(RONDO_Type_create_bucket(static_cast<MPI_Count>(counts.size()), size, counts.data(), base, &type),
            MPI_SUCCESS);
  return type;
}

// An int, a hole of one int, an int before both: the map is {1, -1}, the extent 3 ints from -1 on.
MPI_Datatype two_ints_backwards() {
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  const std::array<int, 2> offsets{1, -1};
  MPI_Type_create_indexed_block(2, 1, offsets.data(), MPI_INT, &pair);
  return pair;
}

TEST(BoundedVector, LastBlockIsCut) {
  const Made type(bounded(9, 2, 4));

  EXPECT_EQ(type_map(type.type()), (Map{0, 1, 4, 5, 8}));
  EXPECT_EQ(extent(type.type()), 9);
}

TEST(BoundedVector, EndsInAGap) {
  const Made type(bounded(8, 2, 4));

  EXPECT_EQ(type_map(type.type()), (Map{0, 1, 4, 5}));
  EXPECT_EQ(extent(type.type()), 6);
}

TEST(BoundedVector, OneBlockLongerThanTheBound) {
  EXPECT_EQ(type_map(Made(bounded(3, 5, 7)).type()), (Map{0, 1, 2}));
}

TEST(BoundedVector, WithoutGaps) {
  EXPECT_EQ(type_map(Made(bounded(5, 2, 2)).type()), (Map{0, 1, 2, 3, 4}));
}

TEST(BoundedVector, Empty) {
  EXPECT_EQ(type_map(Made(bounded(0, 2, 4)).type()), Map{});
  EXPECT_EQ(type_map(Made(bounded(4, 0, 4)).type()), Map{});
}

// What basic Bruck sends on 6 ranks with two ints each: every block whose distance has bit k (section 3.1, listing 1).
TEST(BoundedVector, RoundsOfBasicBruck) {
  EXPECT_EQ(type_map(Made(bounded((6 - 1) * 2, 1 * 2, 2 * 2)).type()), (Map{0, 1, 4, 5, 8, 9}));
  EXPECT_EQ(type_map(Made(bounded((6 - 2) * 2, 2 * 2, 4 * 2)).type()), (Map{0, 1, 2, 3}));
  EXPECT_EQ(type_map(Made(bounded((6 - 4) * 2, 4 * 2, 8 * 2)).type()), (Map{0, 1, 2, 3}));
}

TEST(BoundedVector, OfABaseTypeWithAHoleAndANegativeLowerBound) {
  const Made base(two_ints_backwards());
  const Made type(bounded(3, 1, 2, base.type()));

  EXPECT_EQ(type_map(type.type()), (Map{1, -1, 7, 5}));
}

TEST(CircularVector, GoesOnAtZero) {
  const Made type(circular(8, 5, 8, 1, 2));

  EXPECT_EQ(type_map(type.type()), (Map{5, 7, 1, 3}));
  EXPECT_EQ(extent(type.type()), 8);
}

TEST(CircularVector, ABlockIsCutInTwoAtTheEnd) {
  EXPECT_EQ(type_map(Made(circular(8, 2, 8, 3, 5)).type()), (Map{2, 3, 4, 7, 0, 1}));
}

TEST(CircularVector, BoundCutsTheLastBlock) {
  EXPECT_EQ(type_map(Made(circular(8, 6, 6, 2, 4)).type()), (Map{6, 7, 2, 3}));
  EXPECT_EQ(type_map(Made(circular(8, 6, 5, 2, 4)).type()), (Map{6, 7, 2}));
}

TEST(CircularVector, ThatDoesNotReachTheEnd) {
  const Made type(circular(10, 1, 4, 1, 2));

  EXPECT_EQ(type_map(type.type()), (Map{1, 3}));
  EXPECT_EQ(extent(type.type()), 10);
}

TEST(CircularVector, WholeCircle) {
  EXPECT_EQ(type_map(Made(circular(4, 3, 4, 4, 4)).type()), (Map{3, 0, 1, 2}));
}

// Rank 4 of 6 in round k = 1 of modified Bruck (section 3.2, listing 2), one int each: R[(4 + j) mod 6] for j = 2, 3.
TEST(CircularVector, RoundOfModifiedBruck) {
  EXPECT_EQ(type_map(Made(circular(6, (4 + 2) % 6, 6 - 2, 2, 4)).type()), (Map{0, 1}));
  EXPECT_EQ(type_map(Made(circular(6, (4 + 1) % 6, 6 - 1, 1, 2)).type()), (Map{5, 1, 3}));
}

TEST(CircularVector, OfABaseTypeWithAHoleAndANegativeLowerBound) {
  const Made base(two_ints_backwards());
  const Made type(circular(3, 2, 2, 1, 1, base.type()));

  EXPECT_EQ(type_map(type.type()), (Map{7, 5, 1, -1}));
  EXPECT_EQ(extent(type.type()), 9);
}

TEST(Bucket, PartlyFull) {
  const Made type(bucket(4, {2, 0, 4, 1}));

  EXPECT_EQ(type_map(type.type()), (Map{0, 1, 8, 9, 10, 11, 12}));
  EXPECT_EQ(extent(type.type()), 16);
}

TEST(Bucket, Full) {
  EXPECT_EQ(type_map(Made(bucket(2, {2, 2, 2})).type()), (Map{0, 1, 2, 3, 4, 5}));
}

TEST(Bucket, Empty) {
  const Made type(bucket(4, {0, 0}));

  EXPECT_EQ(type_map(type.type()), Map{});
  EXPECT_EQ(extent(type.type()), 8);
  EXPECT_EQ(type_map(Made(bucket(4, {})).type()), Map{});
}

TEST(Bucket, OfABaseTypeWithAHoleAndANegativeLowerBound) {
  const Made base(two_ints_backwards());

  EXPECT_EQ(type_map(Made(bucket(2, {1, 2}, base.type())).type()), (Map{1, -1, 7, 5, 10, 8}));
}

// ---- Arguments that make no sense -------------------------------------------------------------------------

struct BadNumbers {
  const char *message;
  int (*make)(MPI_Datatype *type);
};

class BadTypeArguments : public testing::TestWithParam<BadNumbers> {};
INSTANTIATE_TEST_SUITE_P(
    , BadTypeArguments,
    testing::Values(
        BadNumbers{"bound is -1, less than 0",
                   [](MPI_Datatype *type) { return RONDO_Type_create_bounded_vector(-1, 1, 1, MPI_INT, type); }},
        BadNumbers{"blocklength is -2, less than 0",
                   [](MPI_Datatype *type) { return RONDO_Type_create_bounded_vector(4, -2, 1, MPI_INT, type); }},
        BadNumbers{"stride is 1, less than 2",
                   [](MPI_Datatype *type) { return RONDO_Type_create_bounded_vector(4, 2, 1, MPI_INT, type); }},
        BadNumbers{"stride is 0, less than 1",
                   [](MPI_Datatype *type) { return RONDO_Type_create_bounded_vector(4, 0, 0, MPI_INT, type); }},
        BadNumbers{"total is 0, less than 1",
                   [](MPI_Datatype *type) { return RONDO_Type_create_circular_vector(0, 0, 0, 1, 1, MPI_INT, type); }},
        BadNumbers{"start is 4, not between 0 and 3",
                   [](MPI_Datatype *type) { return RONDO_Type_create_circular_vector(4, 4, 1, 1, 1, MPI_INT, type); }},
        BadNumbers{"bound is 5, not between 0 and 4",
                   [](MPI_Datatype *type) { return RONDO_Type_create_circular_vector(4, 0, 5, 1, 1, MPI_INT, type); }},
        BadNumbers{"the count of a bucket is 3, not between 0 and 2", [](MPI_Datatype *type) {
                     const MPI_Count counts[] = {1, 3};
                     return RONDO_Type_create_bucket(2, 2, counts, MPI_INT, type);
                   }}));

TEST_P(BadTypeArguments, AreNamed) {
  MPI_Datatype type = MPI_INT;

  const Refusal refusal = refused(GetParam().make(&type));

  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
  EXPECT_EQ(refusal.message, GetParam().message);
  EXPECT_EQ(type, MPI_DATATYPE_NULL);
}

TEST(BadTypeArgument, NullBaseType) {
  MPI_Datatype type = MPI_INT;

  EXPECT_EQ(RONDO_Type_create_bounded_vector(4, 1, 2, MPI_DATATYPE_NULL, &type), RONDO_ERR_TYPE);
  EXPECT_EQ(RONDO_Type_create_bounded_vector(4, 1, 2, MPI_INT, nullptr), RONDO_ERR_ARG);
  EXPECT_EQ(RONDO_Type_create_bucket(1, 1, nullptr, MPI_INT, &type), RONDO_ERR_ARG);
}

TEST(BadTypeArgument, ExtentBeyond64Bits) {
  MPI_Datatype type = MPI_INT;

  EXPECT_EQ(RONDO_Type_create_circular_vector(MPI_Count{1} << 62, 0, 1, 1, 1, MPI_DOUBLE, &type), RONDO_ERR_COUNT);
}

}  // namespace
}  // namespace rondo
