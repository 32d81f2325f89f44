// SPDX-License-Identifier: BSD-3-Clause
#include "dijkstra.hpp"

#include <gtest/gtest.h>

#include "problem.hpp"

namespace {

using Lengths = std::vector<std::uint32_t>;

relations::Graph with_a_short_cut() {
  return relations::Graph({{0, 1, 2, 3}, {{0, 1, 9}, {0, 2, 2}, {2, 1, 3}}});
}

TEST(Dijkstra, TakesTheShorterWay) {
  EXPECT_EQ(paths::search(with_a_short_cut(), 0), (Lengths{0, 5, 2, paths::kUnreached}));
}

TEST(Dijkstra, CountsWhatEachSourceReaches) {
  EXPECT_EQ(paths::search_from(with_a_short_cut(), Lengths{0, 2, 3}).tuples, 3U + 2U + 1U);
}

TEST(SpreadSources, AreDifferent) {
  EXPECT_EQ(paths::spread_sources(with_a_short_cut(), 2), (Lengths{0, 2}));
  EXPECT_EQ(paths::spread_sources(with_a_short_cut(), 9), (Lengths{0, 1, 2, 3}));
}

TEST(DrawnLengths, AreTheSameInBothDirections) {
  const relations::Graph two_ways({{0, 1}, {{0, 1, 1}, {1, 0, 1}}});

  const auto drawn = paths::with_drawn_lengths(two_ways, 1000);

  EXPECT_EQ(drawn.edges()[0].length, drawn.edges()[1].length);
}

}  // namespace
