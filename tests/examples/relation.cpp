// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

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

TEST(Outbox, PutsBlocksInRankOrder) {
  relations::Outbox<int> outbox(3);
  outbox.push(2, 20);
  outbox.push(0, 1);
  outbox.push(2, 21);

  outbox.close();

  EXPECT_EQ((std::vector<int>(outbox.elements().begin(), outbox.elements().end())), (std::vector<int>{1, 20, 21}));
  EXPECT_EQ((std::vector<MPI_Count>(outbox.counts().begin(), outbox.counts().end())),
            (std::vector<MPI_Count>{1, 0, 2}));
}

TEST(Outbox, BeginsAnewAfterClose) {
  relations::Outbox<int> outbox(1);
  outbox.push(0, 1);
  outbox.close();

  outbox.push(0, 2);
  outbox.close();

  EXPECT_EQ(outbox.elements().size(), 1U);
  EXPECT_EQ(outbox.elements().front(), 2);
}

TEST(Recent, KnowsWhatHasJustPassed) {
  relations::Recent recent;

  EXPECT_TRUE(recent.first_time(4));
  EXPECT_FALSE(recent.first_time(4));
  EXPECT_TRUE(recent.first_time(5));
}

}  // namespace
