// A thousand ranks, all in this process.

#include <gtest/gtest.h>

#include "schedule/check.hpp"
#include "schedule/run.hpp"
#include "tests/schedule/memory.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

std::string fault_of(const char *name, int ranks, const Parameters &wished) {
  const Algorithm &algorithm = *find_algorithm(name);
  const std::vector<Exchange> world = dense_world(ranks, irregular);
  const Planned planned =
      plan_all(algorithm, effective(algorithm, wished, ranks), {.ranks = ranks, .node_of = {}}, world);
  if (std::string fault = check_schedules(planned.schedules, world); !fault.empty()) return fault;
  Memory memory(world, planned.schedules);
  memory.fill(1);
  run_all(planned.schedules, memory.spaces());
  return memory.fault();
}

TEST(LargeDelivery, TunaOfRadixThirtyTwo) {
  EXPECT_EQ(fault_of("tuna", 1024, {.radix = 32}), "");
}

TEST(LargeDelivery, SpreadOut) {
  EXPECT_EQ(fault_of("spread_out", 1024, {}), "");
}

}  // namespace
}  // namespace rondo::internal
