// The runs that are found from how a type was made are those that MPI packs.

#include "wire/type_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "wire/datatype.hpp"
#include "with_mpi.hpp"

namespace rondo::internal {
namespace {

// Asks MPI: packs an element of bytes that tell their places, one digit to base 256 at a time.
std::vector<Extent> packed_runs(MPI_Datatype type) {
  const DatatypeShape shape = measure(type);
  std::vector<std::int64_t> places(static_cast<std::size_t>(shape.size));
  for (int digit = 0; digit < 4 && shape.size > 0; ++digit) {
    std::vector<unsigned char> element(static_cast<std::size_t>(shape.true_extent));
    std::vector<unsigned char> packed(places.size() + 1);
    for (std::size_t i = 0; i < element.size(); ++i) element[i] = static_cast<unsigned char>(i >> (8 * digit));
    int position = 0;
    const std::intptr_t origin = reinterpret_cast<std::intptr_t>(element.data()) - shape.true_lower_bound;
    MPI_Pack(reinterpret_cast<const void *>(origin), 1, type, packed.data(), static_cast<int>(packed.size()), &position,
             MPI_COMM_SELF);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] += std::int64_t{packed[i]} << (8 * digit);
  }
  std::vector<Extent> runs;
  for (const std::int64_t place : places) {
    const std::int64_t offset = place + shape.true_lower_bound;
    if (!runs.empty() && runs.back().end() == offset) {
      ++runs.back().length;
    } else {
      runs.push_back({offset, 1});
    }
  }
  return runs;
}

// Types upon types, by all constructors, whose elements do not overlap: each is placed after those before it.
class Constructors {
 public:
  explicit Constructors(unsigned seed) : random_(seed) {}

  // The caller frees what is derived.
  MPI_Datatype draw(int depth) {
    if (depth == 0) return std::array{MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_DOUBLE_INT, MPI_SHORT_INT}[upto(5)];
    MPI_Datatype element = draw(depth - 1);
    const DatatypeShape shape = measure(element);
    // Room for one element, whatever its extent says.
    const std::int64_t reach = shape.true_extent + std::abs(shape.extent) + 8;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const int blocks = upto(4);
    std::vector<int> lengths, places;
    std::vector<MPI_Aint> offsets;
    for (int i = 0; i < blocks; ++i) {
      lengths.push_back(upto(3));
      places.push_back(4 * i + upto(1));
      offsets.push_back(i * 4 * reach + upto(7));
    }
    if (upto(2) == 0) {
      std::reverse(places.begin(), places.end());
      std::reverse(offsets.begin(), offsets.end());
    }
    const int length = upto(2);
    const int order = upto(1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    const std::array sizes{4, 3, 5}, part{1 + upto(2), 1 + upto(1), 1 + upto(3)}, starts{upto(1), upto(1), upto(1)};
    switch (upto(most)) {
      case 0: MPI_Type_contiguous(blocks, element, &type); break;
      case 1: MPI_Type_vector(blocks, length, upto(1) == 0 ? 3 : -3, element, &type); break;
      case 2: MPI_Type_create_hvector(blocks, length, upto(1) == 0 ? 3 * reach + 1 : -3 * reach, element, &type); break;
      case 3: MPI_Type_indexed(blocks, lengths.data(), places.data(), element, &type); break;
      case 4: MPI_Type_create_hindexed(blocks, lengths.data(), offsets.data(), element, &type); break;
      case 5: MPI_Type_create_indexed_block(blocks, length, places.data(), element, &type); break;
      case 6: MPI_Type_create_hindexed_block(blocks, length, offsets.data(), element, &type); break;
      case 7: {
        std::vector<MPI_Datatype> types(offsets.size(), element);
        if (!types.empty()) types.back() = MPI_INT;
        MPI_Type_create_struct(blocks, lengths.data(), offsets.data(), types.data(), &type);
        break;
      }
      case 8: MPI_Type_create_subarray(3, sizes.data(), part.data(), starts.data(), order, element, &type); break;
      case 9: MPI_Type_create_resized(element, -upto(9), reach + upto(9), &type); break;
      case 10: MPI_Type_dup(element, &type); break;
      case 11: {
        if (shape.size == 0) {  // which Open MPI 4.1 does not take
          MPI_Type_dup(element, &type);
          break;
        }
        const std::array ways{MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
        const std::array how{ways[upto(1)], ways[upto(1)], MPI_DISTRIBUTE_NONE};
        const auto argument = [&](int least) { return upto(1) == 0 ? MPI_DISTRIBUTE_DFLT_DARG : least + upto(1); };
        const std::array arguments{argument(how[0] == MPI_DISTRIBUTE_BLOCK ? 2 : 1),
                                   argument(how[1] == MPI_DISTRIBUTE_BLOCK ? 2 : 1), MPI_DISTRIBUTE_DFLT_DARG};
        const std::array processes{2, 2, 1};
        MPI_Type_create_darray(4, upto(3), 3, sizes.data(), how.data(), arguments.data(), processes.data(), order,
                               element, &type);
        break;
      }
      case 12:
        MPI_Type_create_f90_real(6, MPI_UNDEFINED, &type);
        MPI_Type_contiguous(2, type, &type);
        break;
      default: large_count(blocks, length, lengths, offsets, sizes, part, starts, order, element, &type);
    }
    if (depth > 1) MPI_Type_free(&element);
    return type;
  }

 private:
  int upto(int greatest) { return std::uniform_int_distribution<int>(0, greatest)(random_); }

#if MPI_VERSION >= 4
  static constexpr int most = 21;
  void large_count(int blocks, int length, const std::vector<int> &lengths, const std::vector<MPI_Aint> &offsets,
                   const std::array<int, 3> &sizes, const std::array<int, 3> &part, const std::array<int, 3> &starts,
                   int order, MPI_Datatype element, MPI_Datatype *type) {
    const std::vector<MPI_Count> many(lengths.begin(), lengths.end());
    const std::vector<MPI_Count> far(offsets.begin(), offsets.end());
    const std::vector<MPI_Datatype> types(offsets.size(), element);
    std::array<MPI_Count, 3> of_sizes{}, of_part{}, of_starts{};
    std::copy(sizes.begin(), sizes.end(), of_sizes.begin());
    std::copy(part.begin(), part.end(), of_part.begin());
    std::copy(starts.begin(), starts.end(), of_starts.begin());
    const std::array how{MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
    const std::array every{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    const std::array processes{2, 2, 1};
    switch (upto(7)) {
      case 0: MPI_Type_contiguous_c(blocks, element, type); break;
      case 1: MPI_Type_vector_c(blocks, length, 3, element, type); break;
      case 2: MPI_Type_create_hvector_c(blocks, length, 4 * measure(element).true_extent + 100, element, type); break;
      case 3: MPI_Type_create_hindexed_c(blocks, many.data(), far.data(), element, type); break;
      case 4: MPI_Type_create_struct_c(blocks, many.data(), far.data(), types.data(), type); break;
      case 5:
        MPI_Type_create_subarray_c(3, of_sizes.data(), of_part.data(), of_starts.data(), order, element, type);
        break;
      case 6:
        MPI_Type_create_darray_c(4, upto(3), 3, of_sizes.data(), how.data(), every.data(), processes.data(), order,
                                 element, type);
        break;
      default: MPI_Type_create_resized_c(element, 0, measure(element).true_extent + 30, type);
    }
  }
#else
  static constexpr int most = 12;
  template <class... Arguments>
  void large_count(Arguments &&...) {}
#endif

  std::mt19937 random_;
};

class RunsOfTypes : public test::WithMpi, public testing::WithParamInterface<int> {};

TEST_P(RunsOfTypes, AreThoseThatMpiPacks) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    MPI_Datatype type = Constructors(seed).draw(GetParam());
    MPI_Type_commit(&type);
    if (measure(type).true_extent <= 1 << 20) {
      EXPECT_EQ(*byte_runs(type, MPI_COMM_SELF), packed_runs(type)) << "seed " << seed;
    }
    MPI_Type_free(&type);
  }
}

INSTANTIATE_TEST_SUITE_P(Depth, RunsOfTypes, testing::Values(1, 2, 3));

using RunsOfManyBytes = test::WithMpi;

// MPICH does not pack the six bytes at the end of a long double, which hold nothing.
TEST_F(RunsOfManyBytes, OfLongDoublesAreWhole) {
  const int size = 4, how = MPI_DISTRIBUTE_BLOCK, argument = MPI_DISTRIBUTE_DFLT_DARG, processes = 2;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_create_darray(2, 1, 1, &size, &how, &argument, &processes, MPI_ORDER_C, MPI_LONG_DOUBLE, &type);

  const TypeRuns runs = byte_runs(type, MPI_COMM_SELF);

  MPI_Type_free(&type);
  EXPECT_EQ(*runs, (std::vector<Extent>{{2 * sizeof(long double), 2 * sizeof(long double)}}));
}

// Two gibibytes without a gap: no look at each element.
TEST_F(RunsOfManyBytes, OfALongRowAreOne) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(1 << 28, 1, 1, MPI_DOUBLE, &type);

  const TypeRuns runs = byte_runs(type, MPI_COMM_SELF);

  MPI_Type_free(&type);
  EXPECT_EQ(*runs, (std::vector<Extent>{{0, std::int64_t{8} << 28}}));
}

TEST_F(RunsOfManyBytes, OfMoreThanAMillionAreNotKnown) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(1'000'001, 1, 2, MPI_INT, &type);

  const TypeRuns runs = byte_runs(type, MPI_COMM_SELF);

  MPI_Type_free(&type);
  EXPECT_EQ(runs, nullptr);
}

}  // namespace
}  // namespace rondo::internal
