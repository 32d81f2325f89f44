#include "route/print.hpp"

#include <gtest/gtest.h>

#include "tests/route/journey.hpp"

namespace rondo::internal {
namespace {

TEST(RoutePrint, LineAMessage) {
  const std::vector<Route> routes = relay().routes();

  const std::string text = to_string(routes[1]);

  EXPECT_EQ(text,
            "rank 1 of 3, 2 steps\n"
            "step 0\n"
            "  -> rank 0: (1, 0)\n"
            "  <- rank 0: (0, 1) (0, 2)\n"
            "step 1\n"
            "  -> rank 2: (0, 2) (1, 2)\n"
            "  <- rank 2: (2, 1)\n");
}

TEST(RoutePrint, OneRank) {
  const Route route(0, 1);

  EXPECT_EQ(to_string(route), "rank 0 of 1, 0 steps\n");
}

}  // namespace
}  // namespace rondo::internal
