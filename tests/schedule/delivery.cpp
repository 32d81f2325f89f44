// Every algorithm of the table delivers: all ranks run in one process, three times with new data.

#include <gtest/gtest.h>

#include "tests/plans/settings.hpp"
#include "tests/schedule/memory.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 18;

struct Distribution {
  const char *name;
  SizeOf size_of;
};

const std::vector<Distribution> &distributions() {
  static const std::vector<Distribution> all = {
      {"Constant", constant(5)},
      {"AllEmpty", constant(0)},
      {"Irregular", irregular},
      {"Ascending", [](int source, int destination) { return source + 2 * destination; }},
      {"PowersOfTwo", [](int s, int d) { return std::int64_t{1} << (irregular(s, d) % 10); }},
      {"OneSender", [](int source, int) { return source == 0 ? 99 : 0; }},
      {"OneReceiver", [](int source, int destination) { return destination == 1 ? source + 40 : 0; }},
      {"OneBlock", [](int source, int destination) { return source == 1 && destination == 0 ? 1000 : 0; }},
      {"OnlyToItself", [](int source, int destination) { return source == destination ? 33 : 0; }},
      {"Neighbours", [](int s, int d) { return s - d == 1 || d - s == 1 ? 8 : 0; }},
  };
  return all;
}

struct Delivery {
  const Algorithm *algorithm;
  const Distribution *distribution;
};

bool serves(const Algorithm &algorithm, const Setting &setting, const std::vector<Exchange> &world) {
  Case situation = case_of(world);
  return algorithm.obstacle(situation, setting.parameters).empty();
}

// Which algorithms serve which distributions, judged at four ranks.
std::vector<Delivery> deliveries() {
  std::vector<Delivery> all;
  for (const Algorithm *algorithm : routed_algorithms()) {
    for (const Distribution &distribution : distributions()) {
      const Setting setting = settings(*algorithm, 4).at(0);
      if (serves(*algorithm, setting, dense_world(4, distribution.size_of))) all.push_back({algorithm, &distribution});
    }
  }
  return all;
}

std::string first_fault(const Algorithm &algorithm, const Setting &setting, const std::vector<Exchange> &world) {
  return delivery_fault(plan_all(algorithm, setting.parameters, setting.topology(), world).schedules, world);
}

class DeliveryOf : public testing::TestWithParam<Delivery> {};

TEST_P(DeliveryOf, FromDenseToDense) {
  const auto &[algorithm, distribution] = GetParam();

  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const std::vector<Exchange> world = dense_world(ranks, distribution->size_of);
    for (const Setting &setting : settings(*algorithm, ranks)) {
      ASSERT_EQ(first_fault(*algorithm, setting, world), "") << describe(setting);
    }
  }
}

TEST_P(DeliveryOf, WithGapsAndInAnyOrder) {
  const auto &[algorithm, distribution] = GetParam();

  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const std::vector<Exchange> world = gapped_world(ranks, distribution->size_of, static_cast<unsigned>(ranks));
    for (const Setting &setting : settings(*algorithm, ranks)) {
      ASSERT_EQ(first_fault(*algorithm, setting, world), "") << describe(setting);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, DeliveryOf, testing::ValuesIn(deliveries()), [](const auto &instance) {
  return std::string(instance.param.algorithm->name) + "_" + instance.param.distribution->name;
});

}  // namespace
}  // namespace rondo::internal
