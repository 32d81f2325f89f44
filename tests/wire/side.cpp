// What is sent must not be overwritten by what is received, but for the block of a rank for itself, which may stay.

#include "wire/side.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "exchange/error.hpp"
#include "mpi/type.hpp"
#include "with_mpi.hpp"

namespace rondo::internal {
namespace {

class OwnBlock : public test::WithMpi {
 protected:
  // One rank's block for itself, of two elements of `type` that begin so many bytes after the start of the memory.
  Side side(MPI_Datatype type, std::int64_t first) {
    Side side{.buffer = memory.data(),
              .ranks = 1,
              .entries = 1,
              .parts = {{.peer = 0, .count = 2, .displacement = first}},
              .types = {{.type = type}},
              .unit = Side::Unit::bytes};
    check_side(side, "send", MPI_COMM_SELF);
    return side;
  }
  // Blocks of two ints at these places.
  static Type blocks_at(std::vector<int> places) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(static_cast<int>(places.size()), 2, places.data(), MPI_INT, &type);
    return Type(type);
  }
  static Fault fault_of(const Side &send, const Side &receive) {
    try {
      check_apart(send, receive, 0);
    } catch (const Error &error) {
      return error.fault;
    }
    return Fault::none;
  }

  std::vector<std::byte> memory = std::vector<std::byte>(4096);
};

TEST_F(OwnBlock, MayStayWhereItIs) {
  const Type type = blocks_at({0, 4, 8});

  EXPECT_EQ(fault_of(side(type, 0), side(type, 0)), Fault::none);
}

TEST_F(OwnBlock, MayStayWhereTwoTypesCutItDifferently) {
  const Type one = blocks_at({0, 4});
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, one, &made);
  const Type two(made);
  Side received = side(one, 0);
  received.parts.front().count = 4;
  Side sent = side(two, 0);

  EXPECT_EQ(fault_of(sent, received), Fault::none);
}

TEST_F(OwnBlock, IsNotMovedWithinItself) {
  const Type type = blocks_at({0, 4, 8});

  EXPECT_EQ(fault_of(side(type, 0), side(type, 4)), Fault::overlap);
}

TEST_F(OwnBlock, IsNotReceivedInAnotherOrder) {
  const Type ascending = blocks_at({0, 4});
  const Type descending = blocks_at({4, 0});

  EXPECT_EQ(fault_of(side(ascending, 0), side(descending, 0)), Fault::overlap);
}

}  // namespace
}  // namespace rondo::internal
