// Looking again for what alone is missing (wire/looks.hpp).

#include "wire/looks.hpp"

#include <gtest/gtest.h>

#include "wire/patience.hpp"

namespace rondo::internal {
namespace {

struct Word {
  int changes_after = 0;
  int looks = 0;
  bool operator()() { return ++looks > changes_after; }
};

TEST(Looks, OneLookIsTheDefault) {
  Looks once;
  Word word{.changes_after = 1};
  EXPECT_FALSE(once.until(word));
  EXPECT_EQ(word.looks, 1);
  EXPECT_EQ(once.pauses(), 0);
  EXPECT_TRUE(once.until(word));
}

TEST(Looks, EndWhenSomethingIsFound) {
  Looks looks(5);
  Word word{.changes_after = 3};
  EXPECT_TRUE(looks.until(word));
  EXPECT_EQ(word.looks, 4);
  EXPECT_EQ(looks.pauses(), 3);
}

// What one has used the next has not: both together wait no longer than one.
TEST(Looks, AreUsedUp) {
  Looks looks(5);
  Word first{.changes_after = 3};
  EXPECT_TRUE(looks.until(first));
  Word second{.changes_after = 10};
  EXPECT_FALSE(looks.until(second));
  EXPECT_EQ(second.looks, 3);
  EXPECT_EQ(looks.pauses(), 5);
  EXPECT_FALSE(looks.until(second));
  EXPECT_EQ(second.looks, 4);
}

// Looks count as pauses: a wait spins as long as without them, and then goes on to other things.
TEST(Looks, CountAsPausesOfAWait) {
  const Patience patience{.spins = 200, .looks = 10, .yields = 10};
  Waiting waiting(patience);
  int rounds = 0;
  int pauses = 0;
  for (; waiting.spinning(); ++rounds) {
    Looks looks = waiting.looks();
    Word never{.changes_after = 1'000'000};
    EXPECT_FALSE(looks.until(never));
    waiting.count(looks);
    pauses += looks.pauses() + 1;
    EXPECT_TRUE(waiting.pause());
  }
  EXPECT_EQ(pauses, patience.spins);
  EXPECT_LT(rounds, 10);
  Looks none = waiting.looks();
  Word later{.changes_after = 1};
  EXPECT_FALSE(none.until(later));
  EXPECT_EQ(none.pauses(), 0);
}

// Where ranks take turns on a core, who looks again keeps the core from the rank that it waits for.
TEST(Looks, AreNoneWhereRanksTakeTurns) {
  const Waiting waiting(Patience::of(8, 2));
  Looks looks = waiting.looks();
  Word word{.changes_after = 1};
  EXPECT_FALSE(looks.until(word));
  EXPECT_EQ(word.looks, 1);
}

}  // namespace
}  // namespace rondo::internal
