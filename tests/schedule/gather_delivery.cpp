// Every algorithm whose blocks are segments delivers: all ranks run in one process, three times with new data.

#include <gtest/gtest.h>

#include <numeric>

#include "tests/plans/gathers.hpp"
#include "tests/schedule/memory.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

// Data side by side, or with gaps and in an order of each rank's own. In one group a rank receives its own data too.
std::vector<Exchange> gather_world(const Kind &kind, const Algorithm &algorithm, const GatherSetting &setting,
                                   const GatherSizes &sizes, bool dense) {
  const Topology &topology = setting.topology;
  const auto cut = std::make_shared<const Cut>(algorithm.by_segments->cut(topology, bytes_of(sizes, topology.ranks)));
  std::mt19937 random(static_cast<unsigned>(topology.ranks));
  std::vector<int> order(static_cast<std::size_t>(topology.ranks));
  std::iota(order.begin(), order.end(), 0);
  std::vector<Exchange> world;
  for (int rank = 0; rank < topology.ranks; ++rank) {
    if (!dense) std::shuffle(order.begin(), order.end(), random);
    const auto received = [&](int source) { return kind.receives(topology, rank, source) ? sizes.of(source) : 0; };
    world.push_back({.rank = rank,
                     .send = {{dense ? 0 : -3, sizes.of(rank)}},
                     .receive = extents(
                         order, dense ? 0 : -11, [&] { return dense ? 0 : 5; }, received),
                     .kind = &kind,
                     .cut = cut});
  }
  return world;
}

std::string first_fault(const Algorithm &algorithm, const GatherSetting &setting, const std::vector<Exchange> &world,
                        Wire wire) {
  return delivery_fault(plan_all(algorithm, setting.parameters, setting.topology, world, wire).schedules, world);
}

class GatherDeliveryOf : public testing::TestWithParam<GatherCase> {};

TEST_P(GatherDeliveryOf, FromDenseToDenseOnEveryWire) {
  const auto &[kind, algorithm, sizes] = GetParam();
  for (const GatherSetting &setting : gather_settings(*algorithm, 6)) {
    const std::vector<Exchange> world = gather_world(*kind, *algorithm, setting, *sizes, true);
    for (const auto &[wire, word] : wire_words) {
      ASSERT_EQ(first_fault(*algorithm, setting, world, wire), "") << setting << ", wire " << word;
    }
  }
}

TEST_P(GatherDeliveryOf, WithGapsAndInAnyOrder) {
  const auto &[kind, algorithm, sizes] = GetParam();
  for (const GatherSetting &setting : gather_settings(*algorithm, 6)) {
    const std::vector<Exchange> world = gather_world(*kind, *algorithm, setting, *sizes, false);
    ASSERT_EQ(first_fault(*algorithm, setting, world, Wire::packed), "") << setting;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, GatherDeliveryOf, testing::ValuesIn(gather_cases()), name_of);

}  // namespace
}  // namespace rondo::internal
