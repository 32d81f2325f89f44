// Elements with gaps: packed run by run as MPI packs them, and unpacked to where they were.

#include "wire/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "wire/type_runs.hpp"
#include "with_mpi.hpp"

namespace rondo::internal {
namespace {

constexpr std::int64_t count = 5;

struct Blocks {
  int length;  // ints
  int stride;
};

class Packing : public test::WithMpi, public testing::WithParamInterface<Blocks> {
 protected:
  void SetUp() override {
    MPI_Type_vector(3, GetParam().length, GetParam().stride, MPI_INT, &type);
    MPI_Type_commit(&type);
    shape = shape_of(type, "send", MPI_COMM_SELF);
    runs = *byte_runs(type, MPI_COMM_SELF);
    memory.resize(static_cast<std::size_t>(shape.span(count).end()));
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 7 + 1);
  }
  void TearDown() override { MPI_Type_free(&type); }

  TypedElements in(std::vector<std::byte> &bytes, bool by_runs) {
    return {bytes.data(), count, type, shape, by_runs ? std::span<const Extent>(runs) : std::span<const Extent>()};
  }
  [[nodiscard]] std::vector<std::byte> room() const {
    return std::vector<std::byte>(static_cast<std::size_t>(count * shape.size));
  }

  MPI_Datatype type = MPI_DATATYPE_NULL;
  DatatypeShape shape;
  std::vector<Extent> runs;
  std::vector<std::byte> memory;
};

TEST_P(Packing, IsTheSameByRunsAsByMpi) {
  std::vector<std::byte> by_runs = room();
  std::vector<std::byte> by_mpi = room();

  pack(in(memory, true), by_runs.data(), MPI_COMM_SELF);
  pack(in(memory, false), by_mpi.data(), MPI_COMM_SELF);

  EXPECT_EQ(by_runs, by_mpi);
}

TEST_P(Packing, LeavesTheGapsAloneWhenItUnpacks) {
  std::vector<std::byte> packed = room();
  std::vector<std::byte> by_runs(memory.size(), std::byte{0xEE});
  std::vector<std::byte> by_mpi = by_runs;
  pack(in(memory, true), packed.data(), MPI_COMM_SELF);

  unpack(in(by_runs, true), packed.data(), MPI_COMM_SELF);
  unpack(in(by_mpi, false), packed.data(), MPI_COMM_SELF);

  EXPECT_EQ(by_runs, by_mpi);
  EXPECT_GT(std::count(by_runs.begin(), by_runs.end(), std::byte{0xEE}), 0);
}

TEST_P(Packing, CopiesElementsToOthersAsByWayOfTheirPackedForm) {
  MPI_Datatype other = MPI_DATATYPE_NULL;  // as many ints, in runs of one
  MPI_Type_vector(3 * GetParam().length, 1, 2, MPI_INT, &other);
  MPI_Type_commit(&other);
  const DatatypeShape other_shape = shape_of(other, "receive", MPI_COMM_SELF);
  const TypeRuns other_runs = byte_runs(other, MPI_COMM_SELF);
  const auto size = static_cast<std::size_t>(std::max(shape.span(count).end(), other_shape.span(count).end()));
  const auto element_in = [&](std::vector<std::byte> &bytes, bool knows_runs) {
    return TypedElements{bytes.data(), count, other, other_shape,
                         knows_runs ? runs_in(other_runs) : std::span<const Extent>()};
  };
  std::vector<std::byte> packed = room();
  std::vector<std::byte> expected(size, std::byte{0xEE});
  pack(in(memory, true), packed.data(), MPI_COMM_SELF);
  unpack(element_in(expected, true), packed.data(), MPI_COMM_SELF);

  for (const bool from_runs : {true, false}) {
    for (const bool to_runs : {true, false}) {
      std::vector<std::byte> copied(size, std::byte{0xEE});
      copy_elements(in(memory, from_runs), element_in(copied, to_runs), MPI_COMM_SELF);
      EXPECT_EQ(copied, expected);
    }
  }
  std::vector<std::byte> back(memory.size(), std::byte{0xEE});
  std::vector<std::byte> as_packed = back;
  unpack(in(as_packed, true), packed.data(), MPI_COMM_SELF);
  copy_elements(element_in(expected, true), in(back, true), MPI_COMM_SELF);
  EXPECT_EQ(back, as_packed);
  MPI_Type_free(&other);
}

// Runs of 4, 8 and 16 bytes have copies of their own.
INSTANTIATE_TEST_SUITE_P(Runs, Packing, testing::Values(Blocks{1, 3}, Blocks{2, 3}, Blocks{4, 6}, Blocks{5, 7}));

}  // namespace
}  // namespace rondo::internal
