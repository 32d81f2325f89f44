// Numbers of ranks too large for all settings: a few of them.

#include <gtest/gtest.h>

#include "route/check.hpp"
#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

std::string fault_of(const char *name, int ranks, const Parameters &wished) {
  const Algorithm &algorithm = *find_algorithm(name);
  return check_routes(routes_of_all_ranks(algorithm, {ranks, effective(algorithm, wished, ranks)}));
}

TEST(LargeRoutes, TunaOfRadixTwo) {
  EXPECT_EQ(fault_of("tuna", 1024, {.radix = 2}), "");
}

TEST(LargeRoutes, TunaOfRadixThirtyTwo) {
  EXPECT_EQ(fault_of("tuna", 1024, {.radix = 32}), "");
}

TEST(LargeRoutes, TunaOfRadixAllRanks) {
  EXPECT_EQ(fault_of("tuna", 1024, {.radix = 1024}), "");
}

TEST(LargeRoutes, TunaOfAPrimeNumberOfRanks) {
  EXPECT_EQ(fault_of("tuna", 1021, {.radix = 7}), "");
}

TEST(LargeRoutes, SpreadOut) {
  EXPECT_EQ(fault_of("spread_out", 1024, {}), "");
}

TEST(LargeRoutes, Scattered) {
  EXPECT_EQ(fault_of("scattered", 1024, {.block_count = 100}), "");
}

}  // namespace
}  // namespace rondo::internal
