// The data of plans that are made to be timed: that an exchange which has not moved everything is known.

#include "api/trial_data.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "wire/side.hpp"

namespace rondo::internal {
namespace {

// Of rank 0 of two: a block for each.
Side side_of(MPI_Datatype type, int count) {
  Side side{.ranks = 2, .entries = 2, .parts = {{0, count, 0}, {1, count, count}}, .types = {{type}}};
  static std::byte anywhere;
  side.buffer = &anywhere;
  check_side(side, "send", MPI_COMM_SELF);
  return side;
}

void check(MPI_Datatype type) {
  const TrialData data({.send = side_of(type, 10), .receive = side_of(type, 10)}, 0, MPI_COMM_SELF);
  auto *const send = static_cast<std::byte *>(data.arguments().send.buffer);
  auto *const receive = static_cast<std::byte *>(data.arguments().receive.buffer);
  const Side &received = data.arguments().receive;
  const auto block = [&](int peer) { return receive + received.offset(received.parts[peer]); };
  const auto length = static_cast<std::size_t>(received.shape(received.parts[0]).span(10).length);

  data.prepare(send, receive);
  EXPECT_FALSE(data.is_right(receive)) << "nothing has come";
  std::memset(block(0), 1, length);
  EXPECT_FALSE(data.is_right(receive)) << "nothing has come from rank 1";
  std::memset(block(1), 1, length);
  EXPECT_FALSE(data.is_right(receive)) << "that of rank 0 has come from rank 1";
  std::memset(block(1), 2 + 89, length);
  EXPECT_FALSE(data.is_right(receive)) << "what rank 1 has for itself has come from it";
  std::memset(block(1), 2, length);
  EXPECT_TRUE(data.is_right(receive));
  *(block(1) + length - 1) = std::byte{0};
  EXPECT_FALSE(data.is_right(receive)) << "the last byte has not come";
}

TEST(TrialData, OfDenseElements) {
  check(MPI_INT);
}

TEST(TrialData, OfElementsWithGaps) {
  MPI_Datatype columns = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  check(columns);
  MPI_Type_free(&columns);
}

TEST(TrialData, CountsWhatEachPlanTakes) {
  Arguments given{.send = side_of(MPI_INT, 1000), .receive = side_of(MPI_INT, 1000)};
  const std::int64_t of_caller = TrialData::bytes_for(given, 8);
  given.send.plan_allocates = given.receive.plan_allocates = true;

  EXPECT_EQ(TrialData::bytes_for(given, 8) - of_caller, 8 * 2 * 8000);
}

}  // namespace
}  // namespace rondo::internal
