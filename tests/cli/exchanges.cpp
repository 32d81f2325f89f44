#include "cli/exchanges.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rondo::internal::cli {
namespace {

std::vector<Extent> by_offset(std::vector<Extent> extents) {
  std::sort(extents.begin(), extents.end(), [](const Extent &a, const Extent &b) { return a.offset < b.offset; });
  return extents;
}

TEST(Exchanges, WhatIsSentIsWhatIsReceived) {
  const auto all = exchanges(parse_problem("alltoallv p=9 dist=uniform max=20 place=shuffled"));
  for (std::size_t source = 0; source < all.size(); ++source) {
    for (std::size_t destination = 0; destination < all.size(); ++destination) {
      EXPECT_EQ(all[source].send[destination].length, all[destination].receive[source].length);
    }
  }
}

TEST(Exchanges, BlocksLieApartByTheGap) {
  for (const Exchange &exchange : exchanges(parse_problem("alltoallv p=9 max=20 gap=3 place=shuffled"))) {
    for (const auto &extents : {by_offset(exchange.send), by_offset(exchange.receive)}) {
      std::int64_t end = 0;
      for (const Extent &extent : extents) {
        EXPECT_EQ(extent.offset, end + 3);
        end = extent.end();
      }
    }
  }
}

TEST(Exchanges, ShuffledBlocksLieInAnotherOrder) {
  const auto ordered = exchanges(parse_problem("alltoallv p=9 dist=constant max=2"));
  const auto shuffled = exchanges(parse_problem("alltoallv p=9 dist=constant max=2 place=shuffled"));

  EXPECT_EQ(by_offset(ordered[4].send), ordered[4].send);
  EXPECT_NE(by_offset(shuffled[4].send), shuffled[4].send);
  EXPECT_NE(shuffled[4].send, shuffled[4].receive);
}

TEST(Exchanges, DisplacementsThatOverflowAreAnError) {
  Problem problem = parse_problem("alltoallv p=3");
  problem.gap = INT64_MAX / 2;

  EXPECT_ANY_THROW(exchanges(problem));
}

}  // namespace
}  // namespace rondo::internal::cli
