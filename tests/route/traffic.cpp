#include <gtest/gtest.h>

#include "route/route.hpp"
#include "tests/route/journey.hpp"

namespace rondo::internal {
namespace {

TEST(Traffic, EntriesAreInOrderOfSteps) {
  const std::vector<Route> routes = relay().routes();

  const Traffic &receives = routes[1].receives;

  ASSERT_EQ(receives.messages().size(), 2U);
  EXPECT_EQ(receives.messages(1)[0].first, 2U);
  EXPECT_EQ(receives.messages(1)[0].count, 1U);
  EXPECT_EQ(receives.blocks()[2], (Block{2, 1}));
}

TEST(Traffic, IdleStepsHaveNoMessages) {
  const std::vector<Route> routes = relay().routes();

  EXPECT_TRUE(routes[0].sends.messages(1).empty());
  EXPECT_TRUE(routes[2].receives.messages(0).empty());
}

}  // namespace
}  // namespace rondo::internal
