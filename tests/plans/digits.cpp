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

}  // namespace
}  // namespace rondo::internal
