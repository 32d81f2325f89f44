// What is sent must not be overwritten by what is received, but for the block of a rank for itself, which may stay.

#include "wire/side.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "exchange/error.hpp"
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
  static MPI_Datatype blocks_at(std::vector<int> places, int ints = 2) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_indexed_block(static_cast<int>(places.size()), ints, places.data(), MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
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
  MPI_Datatype type = blocks_at({0, 4, 8});

  EXPECT_EQ(fault_of(side(type, 0), side(type, 0)), Fault::none);

  MPI_Type_free(&type);
}

TEST_F(OwnBlock, MayStayWhereTwoTypesCutItDifferently) {
  MPI_Datatype one = blocks_at({0, 4});
  MPI_Datatype two = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, one, &two);
  MPI_Type_commit(&two);
  Side received = side(one, 0);
  received.parts.front().count = 4;
  Side sent = side(two, 0);

  EXPECT_EQ(fault_of(sent, received), Fault::none);

  MPI_Type_free(&one);
  MPI_Type_free(&two);
}

TEST_F(OwnBlock, IsNotMovedWithinItself) {
  MPI_Datatype type = blocks_at({0, 4, 8});

  EXPECT_EQ(fault_of(side(type, 0), side(type, 4)), Fault::overlap);

  MPI_Type_free(&type);
}

TEST_F(OwnBlock, IsNotReceivedInAnotherOrder) {
  MPI_Datatype ascending = blocks_at({0, 4});
  MPI_Datatype descending = blocks_at({4, 0});

  EXPECT_EQ(fault_of(side(ascending, 0), side(descending, 0)), Fault::overlap);

  MPI_Type_free(&ascending);
  MPI_Type_free(&descending);
}

}  // namespace
}  // namespace rondo::internal
