// The datatypes of messages, in each form that their entries can have.

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <tuple>
#include <vector>

#include "wire/pieces.hpp"

namespace rondo::internal {
namespace {

// Three runs of two blocks of 4 bytes, 16 bytes apart.
class DescribedTypes : public testing::TestWithParam<std::tuple<Entries::Form, int, int>> {
 protected:
  DescribedTypes() {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i);
    for (const std::size_t first : {0U, 16U, 32U}) pieces.push_back({&memory[first], 8, MPI_BYTE});
  }
  ~DescribedTypes() override {
    for (MPI_Datatype &type : made) MPI_Type_free(&type);
  }

  std::array<std::byte, 48> memory{};
  std::vector<TypedPiece> pieces;
  std::vector<MPI_Datatype> made;
};

TEST_P(DescribedTypes, HaveTheEntriesAskedForAndTheSameBytes) {
  const auto [form, combiner, entries] = GetParam();
  const TypedMessage message = describe(pieces, made, {form, 4});

  int integers = 0;
  int addresses = 0;
  int types = 0;
  int found = 0;
  MPI_Type_get_envelope(message.type, &integers, &addresses, &types, &found);
  EXPECT_EQ(found, combiner);
  EXPECT_EQ(addresses, entries);

  std::array<std::byte, 24> packed{};
  int position = 0;
  MPI_Pack(message.buffer, message.count, message.type, packed.data(), 24, &position, MPI_COMM_SELF);
  ASSERT_EQ(position, 24);
  for (std::size_t i = 0; i < packed.size(); ++i) EXPECT_EQ(packed[i], memory[i / 8 * 16 + i % 8]) << i;
}

INSTANTIATE_TEST_SUITE_P(, DescribedTypes,
                         testing::Values(std::tuple{Entries::Form::fewest, MPI_COMBINER_CONTIGUOUS, 0},
                                         std::tuple{Entries::Form::runs, MPI_COMBINER_HINDEXED, 3},
                                         std::tuple{Entries::Form::blocks, MPI_COMBINER_HINDEXED_BLOCK, 6}));

}  // namespace
}  // namespace rondo::internal
