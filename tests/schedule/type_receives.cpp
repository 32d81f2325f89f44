#include "schedule/type_receives.hpp"

#include <gtest/gtest.h>

namespace rondo::internal {
namespace {

constexpr std::int64_t piece = 16;

// A step with one message from rank 1, of so many pieces of so many bytes.
Schedule receiving(std::uint32_t pieces, std::int64_t bytes) {
  Schedule schedule;
  schedule.ranks = 2;
  schedule.steps_disjoint = true;
  for (std::uint32_t i = 0; i < pieces; ++i) schedule.slices.push_back({2 * i * bytes, bytes, Space::receive});
  schedule.receives = {{.peer = 1, .count = pieces, .bytes = pieces * bytes}};
  schedule.steps = {{.receives = 1}};
  return schedule;
}

Wire wire_of(Schedule schedule, std::int64_t longest) {
  type_receives(schedule, {longest, piece});
  return schedule.receives[0].wire;
}

TEST(TypeReceives, SeveralLongPieces) {
  EXPECT_EQ(wire_of(receiving(4, piece), 4 * piece), Wire::datatype);
}

TEST(TypeReceives, NotOnePieceNorShortPiecesNorALongMessage) {
  EXPECT_EQ(wire_of(receiving(1, piece), 4 * piece), Wire::packed);
  EXPECT_EQ(wire_of(receiving(4, piece - 1), 4 * piece), Wire::packed);
  EXPECT_EQ(wire_of(receiving(4, piece), 4 * piece - 1), Wire::packed);
  EXPECT_EQ(wire_of(receiving(4, piece), 0), Wire::packed);
}

TEST(TypeReceives, NothingThatIsSharedOrMustBeStagedAllTheSame) {
  Schedule shared = receiving(4, piece);
  shared.receives[0].wire = Wire::shared;
  Schedule not_disjoint = receiving(4, piece);
  not_disjoint.steps_disjoint = false;

  EXPECT_EQ(wire_of(shared, 4 * piece), Wire::shared);
  EXPECT_EQ(wire_of(not_disjoint, 4 * piece), Wire::packed);
}

}  // namespace
}  // namespace rondo::internal
