#include "plans/digits.hpp"

#include <gtest/gtest.h>

#include "route/print.hpp"

namespace rondo::internal {
namespace {

TEST(DigitRoute, FourRanksDownwards) {
  const Route route = digit_route(1, 4, 2, Direction::down);

  EXPECT_EQ(to_string(route),
            "rank 1 of 4, 2 steps\n"
            "step 0\n"
            "  -> rank 0: (1, 0) (1, 2)\n"
            "  <- rank 2: (2, 1) (2, 3)\n"
            "step 1\n"
            "  -> rank 3: (1, 3) (2, 3)\n"
            "  <- rank 3: (3, 1) (0, 1)\n");
}

TEST(DigitRoute, FourRanksUpwards) {
  const Route route = digit_route(1, 4, 2, Direction::up);

  EXPECT_EQ(to_string(route),
            "rank 1 of 4, 2 steps\n"
            "step 0\n"
            "  -> rank 2: (1, 2) (1, 0)\n"
            "  <- rank 0: (0, 1) (0, 3)\n"
            "step 1\n"
            "  -> rank 3: (1, 3) (0, 3)\n"
            "  <- rank 3: (3, 1) (2, 1)\n");
}

// 5 in base 3 is 12: digit 0 takes a block of distance 5 two ranks on, digit 1 three.
TEST(DigitRoute, SevenRanksInBaseThree) {
  const Route route = digit_route(0, 7, 3, Direction::up);

  ASSERT_EQ(route.steps(), 4);
  EXPECT_EQ(route.sends.messages(1)[0].peer, 2);
  EXPECT_EQ(route.sends.blocks(route.sends.messages(1)[0])[1], (Block{0, 5}));
  EXPECT_EQ(route.sends.messages(2)[0].peer, 3);
  EXPECT_EQ(route.sends.blocks(route.sends.messages(2)[0])[2], (Block{5, 3}));
}

// A radix of P is spread_out, one distance a step.
TEST(DigitRoute, RadixOfAllRanksIsDirect) {
  const Route route = digit_route(3, 9, 9, Direction::up);

  ASSERT_EQ(route.steps(), 8);
  for (const Message &message : route.sends.messages()) {
    ASSERT_EQ(message.count, 1U);
    EXPECT_EQ(route.sends.blocks(message)[0], (Block{3, message.peer}));
  }
}

// 46,341 squared is beyond 2^31. Multiples of it have digit 0 zero, distances below it digit 1.
TEST(DigitOutline, LargeRadixDoesNotOverflow) {
  const Outline outline = digit_outline(100'000, 46'341);

  EXPECT_EQ(outline.steps, 46'340 + 2);
  EXPECT_EQ(outline.block_moves, (100'000 - 3) + (100'000 - 46'341));
}

// Counted block by block: what rank h sends on at distance i, once for each digit that is not 0.
std::vector<std::int64_t> moves_one_by_one(const std::vector<std::int64_t> &load, int radix) {
  const auto ring = static_cast<std::int64_t>(load.size());
  std::vector<std::int64_t> moves(load.size(), 0);
  for (std::int64_t h = 0; h < ring; ++h) {
    for (std::int64_t i = 1; i < ring; ++i) {
      for (std::int64_t power = 1; power <= i; power *= radix) {
        if (i / power % radix == 0) continue;
        const std::int64_t destination = (h - i / power * power + ring) % ring;
        moves[static_cast<std::size_t>(h)] += load[static_cast<std::size_t>(destination)];
      }
    }
  }
  return moves;
}

TEST(DigitMoves, AreThoseThatAreCountedOneByOne) {
  for (int ranks = 1; ranks <= 40; ++ranks) {
    for (const int radix : {2, 3, 4, 7, 40}) {
      std::vector<std::int64_t> load;
      for (int rank = 0; rank < ranks; ++rank) load.push_back(rank * rank % 11);

      EXPECT_EQ(digit_moves(load, radix), moves_one_by_one(load, radix)) << ranks << " ranks, radix " << radix;
    }
  }
}

}  // namespace
}  // namespace rondo::internal
