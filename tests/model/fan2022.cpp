// Fan 2022's predictions, held against what the paper says of them.

#include "model/fan2022.hpp"

#include <gtest/gtest.h>

namespace rondo::internal {
namespace {

TEST(Fan2022, TwoRanksByHand) {
  const Fan2022Prices prices{.latency = 1, .byte = 0.01};

  EXPECT_DOUBLE_EQ(fan2022_padded_bruck(2, 100, prices), 1 + 0.01 * 1.5 * 100);
  EXPECT_DOUBLE_EQ(fan2022_two_phase_bruck(2, 100, prices), 2 + 0.01 * 1.5 * 4 + 0.01 * 1.5 * 50);
}

// Inequality 3 says where the one equation is less than the other.
TEST(Fan2022, PaddedIsAheadUpToTheLengthOfTheInequality) {
  const Fan2022Prices prices{.latency = 2e-6, .byte = 0.1e-9};
  for (const int ranks : {2, 128, 1000, 16384}) {
    const double most = fan2022_most_padded(ranks, prices);
    const auto below = static_cast<std::int64_t>(most - 1);
    const auto above = static_cast<std::int64_t>(most + 2);
    EXPECT_LT(fan2022_padded_bruck(ranks, below, prices), fan2022_two_phase_bruck(ranks, below, prices));
    EXPECT_GT(fan2022_padded_bruck(ranks, above, prices), fan2022_two_phase_bruck(ranks, above, prices));
  }
}

// "This certainly happens when the N is less than 8 bytes", whatever the prices.
TEST(Fan2022, PaddedIsAheadOfShortBlocksWhateverTheyCost) {
  for (const double latency : {1e-9, 1e-6, 1e-3}) EXPECT_GT(fan2022_most_padded(32768, {latency, 1e-6}), 8);
}

// Section 4.1: N = 512 and P = 4,096: 202.9 ms against 91.6 ms, 2.2 times. Bandwidth alone makes it 2.
TEST(Fan2022, PaddedSendsTwiceAsMuch) {
  const Fan2022Prices prices{.latency = 5e-6, .byte = 1e-9};
  const double ratio = fan2022_padded_bruck(4096, 512, prices) / fan2022_two_phase_bruck(4096, 512, prices);

  EXPECT_GT(ratio, 1.9);
  EXPECT_LT(ratio, 2.2);
}

// "With P = 350 and N = 800, should one use two-phase Bruck, padded Bruck, or Cray's MPI_Alltoallv?"
TEST(Fan2022, WhatWasFastestOnTheta) {
  EXPECT_EQ(fan2022_measured(350, 800), "two_phase_bruck");
  EXPECT_EQ(fan2022_measured(1024, 16), "padded_bruck");
  EXPECT_EQ(fan2022_measured(128, 128), "padded_bruck");
  EXPECT_EQ(fan2022_measured(4096, 512), "two_phase_bruck");
  EXPECT_EQ(fan2022_measured(4096, 1024), "two_phase_bruck");
  EXPECT_EQ(fan2022_measured(4096, 2048), "native");
  EXPECT_EQ(fan2022_measured(8192, 1024), "native");
  EXPECT_EQ(fan2022_measured(16384, 256), "two_phase_bruck");
  EXPECT_EQ(fan2022_measured(32768, 128), "two_phase_bruck");
  EXPECT_EQ(fan2022_measured(32768, 256), "native");
}

// "The efficacy of our algorithm starts to decline at high process counts, and the padded Bruck is effective only for
// small Ns and small Ps."
TEST(Fan2022, BothReachLessFarWithMoreRanks) {
  for (int ranks = 128; ranks < 60000; ranks += 100) {
    EXPECT_LE(fan2022_most_padded_measured(ranks + 100), fan2022_most_padded_measured(ranks));
    EXPECT_LE(fan2022_most_two_phase_measured(ranks + 100), fan2022_most_two_phase_measured(ranks));
    EXPECT_LT(fan2022_most_padded(ranks + 100, {}), fan2022_most_padded(ranks, {}));
  }
}

}  // namespace
}  // namespace rondo::internal
