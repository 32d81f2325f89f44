// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "relations/pair.hpp"
#include "serial_closure.hpp"

namespace {

TEST(SerialClosure, OfAChain) {
  const relations::Graph chain({{0, 1, 2}, {{0, 1, 1}, {1, 2, 1}}});

  const auto answer = closure::search_from_all(chain);

  relations::Answer expected;
  for (const auto path : {relations::pair(0, 1), relations::pair(0, 2), relations::pair(1, 2)}) expected.add(path);
  EXPECT_EQ(answer, expected);
}

TEST(SerialClosure, OfACycleHasEveryPair) {
  const relations::Graph cycle({{0, 1, 2}, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}}});

  EXPECT_EQ(closure::search_from_all(cycle).tuples, 9U);
}

}  // namespace
