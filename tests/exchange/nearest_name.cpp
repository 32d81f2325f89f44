#include "exchange/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>

namespace rondo::internal {
namespace {

constexpr std::array<std::string_view, 5> names{"tuna", "linear", "spread_out", "two_phase_bruck", "show"};

TEST(NearestName, OfAMisspeltWord) {
  EXPECT_EQ(did_you_mean("tunna", names), " (did you mean 'tuna'?)");
  EXPECT_EQ(did_you_mean("lineer", names), " (did you mean 'linear'?)");
  EXPECT_EQ(did_you_mean("spreadout", names), " (did you mean 'spread_out'?)");
  EXPECT_EQ(did_you_mean("shwo", names), " (did you mean 'show'?)");
  EXPECT_EQ(did_you_mean("two-phase-bruck", names), " (did you mean 'two_phase_bruck'?)");
}

TEST(NearestName, NoneWhereNothingIsNear) {
  EXPECT_EQ(did_you_mean("", names), "");
  EXPECT_EQ(did_you_mean("x", names), "");
  EXPECT_EQ(did_you_mean("bruk", names), "");
  EXPECT_EQ(did_you_mean("alltoall", names), "");
  EXPECT_EQ(did_you_mean(std::string(1000, 't'), names), "");
}

}  // namespace
}  // namespace rondo::internal
