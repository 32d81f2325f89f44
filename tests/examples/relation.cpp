// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "relations/hash.hpp"
#include "relations/outbox.hpp"
#include "relations/pair.hpp"
#include "relations/recent.hpp"
#include "relations/table.hpp"

namespace {

TEST(Pair, HasTwoColumns) {
  constexpr auto tuple = relations::pair(7, 0xfffffffd);

  EXPECT_EQ(relations::first(tuple), 7U);
  EXPECT_EQ(relations::second(tuple), 0xfffffffdU);
}

TEST(Table, HoldsWhatWasAddedAndGrows) {
  relations::Table<int> table;

  for (int i = 0; i < 100'000; ++i) table.add(static_cast<std::uint64_t>(i) << 20).value = i;

  EXPECT_EQ(table.size(), 100'000U);
  EXPECT_FALSE(table.add(5 << 20).added);
  EXPECT_TRUE(table.contains(99'999ULL << 20));
  EXPECT_FALSE(table.contains(1));
  EXPECT_EQ(table.at(77ULL << 20), 77);
}

TEST(Table, VisitsEveryWordOnce) {
  relations::Table<> table;
  for (const std::uint64_t word : {9, 4, 9, 0}) table.add(word);

  std::vector<std::uint64_t> visited;
  table.for_each([&](std::uint64_t word, relations::NoValue) { visited.push_back(word); });

  std::sort(visited.begin(), visited.end());
  EXPECT_EQ(visited, (std::vector<std::uint64_t>{0, 4, 9}));
}

TEST(Table, EmptyContainsNothing) {
  EXPECT_FALSE(relations::Table<>().contains(3));
}

TEST(Owner, DividesColumnsEvenly) {
  std::vector<int> columns(7);

  for (std::uint64_t column = 0; column < 70'000; ++column) ++columns[relations::owner(column, 7)];

  const auto [least, most] = std::minmax_element(columns.begin(), columns.end());
  EXPECT_GT(*least, 9'500);
  EXPECT_LT(*most, 10'500);
}

// Memory that moves a block each time it grows.
class Moving : public relations::Outbox<int>::Memory {
 public:
  std::span<int> room(int rank, std::size_t tuples) override {
    std::vector<int> larger(tuples);
    std::copy(blocks[rank].begin(), blocks[rank].end(), larger.begin());
    blocks[rank].swap(larger);
    return blocks[rank];
  }
  std::map<int, std::vector<int>> blocks;
};

TEST(Outbox, HasABlockForEachRank) {
  Moving memory;
  relations::Outbox<int> outbox(3, memory);
  std::vector<int> many;
  for (int i = 0; i < 1000; ++i) many.push_back(i);

  outbox.push(0, 1);
  for (const int each : many) outbox.push(2, each);

  EXPECT_EQ(outbox.ranks(), 3);
  EXPECT_EQ(outbox.block(0).front(), 1);
  EXPECT_TRUE(outbox.block(1).empty());
  EXPECT_TRUE(std::equal(many.begin(), many.end(), outbox.block(2).begin(), outbox.block(2).end()));
  EXPECT_EQ(outbox.tuples_beside(2), 1U);
  EXPECT_EQ(outbox.tuples_beside(1), 1001U);
}

TEST(Recent, KnowsWhatHasJustPassed) {
  relations::Recent recent;

  EXPECT_TRUE(recent.first_time(4));
  EXPECT_FALSE(recent.first_time(4));
  EXPECT_TRUE(recent.first_time(5));
}

}  // namespace
