// How a rank waits.

#include "wire/patience.hpp"

#include <gtest/gtest.h>

namespace rondo::internal {
namespace {

TEST(Waiting, SpinsThenLooksThenYieldsThenIsToSleep) {
  Waiting waiting({.spins = 2, .looks = 1, .yields = 1});

  EXPECT_TRUE(waiting.spinning());
  EXPECT_TRUE(waiting.pause());
  EXPECT_TRUE(waiting.pause());
  EXPECT_FALSE(waiting.spinning());
  EXPECT_TRUE(waiting.pause());
  EXPECT_TRUE(waiting.pause());
  EXPECT_FALSE(waiting.pause());
  EXPECT_FALSE(waiting.pause());
  EXPECT_TRUE(waiting.moment()) << "there is time for everything between two sleeps";
}

TEST(Patience, OfRanksWithACoreEachNeverYieldsIt) {
  EXPECT_EQ(Patience::of(2, 2).yields, 0);
  EXPECT_GT(Patience::of(2, 2).looks, 0);
}

TEST(Patience, OfRanksThatTakeTurnsSpinsLittle) {
  EXPECT_EQ(Patience::of(3, 2).looks, 0);
  EXPECT_LT(Patience::of(3, 2).spins, Patience::of(2, 2).spins);
  EXPECT_GT(Patience::of(3, 2).yields, 0);
}

TEST(Patience, YieldsToAThreadWithoutACore) {
  EXPECT_EQ(Patience::with_thread(2, 4).yields, Patience::of(2, 4).yields);
  EXPECT_GT(Patience::with_thread(2, 2).yields, 0);
  EXPECT_EQ(Patience::with_thread(2, 2).spins, Patience::of(2, 2).spins);
  EXPECT_EQ(Patience::with_thread(3, 2).spins, Patience::of(3, 2).spins);
}

TEST(Patience, OfSeveralPlansIsThatWhichGivesItsCoreAwayFirst) {
  const Patience alone = Patience::of(1, 2);
  const Patience beside_a_thread = Patience::with_thread(2, 2);
  const Patience by_turns = Patience::of(3, 2);

  for (const Patience &other : {alone, beside_a_thread}) {
    EXPECT_EQ(Patience::of_both(by_turns, other).spins, by_turns.spins);
    EXPECT_EQ(Patience::of_both(other, by_turns).spins, by_turns.spins);
  }
  EXPECT_EQ(Patience::of_both(alone, beside_a_thread).looks, beside_a_thread.looks);
}

}  // namespace
}  // namespace rondo::internal
