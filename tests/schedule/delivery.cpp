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
  Listed listed;
  const Distribution *distribution;
};

// As the distribution says, where the kind has a block; blocks that there are not are empty.
SizeOf sizes_of(const Delivery &delivery, int ranks) {
  return [&delivery, topology = Topology{.ranks = ranks, .node_of = {}}](int source, int destination) {
    const bool has_block = delivery.listed.kind->receives(topology, destination, source);
    return has_block ? delivery.distribution->size_of(source, destination) : 0;
  };
}

std::vector<Exchange> of_kind(const Kind &kind, std::vector<Exchange> world) {
  for (Exchange &exchange : world) exchange.kind = &kind;
  return world;
}

bool serves(const Algorithm &algorithm, const Setting &setting, const std::vector<Exchange> &world) {
  Case situation = case_of(world);
  return algorithm.obstacle(situation, setting.parameters).empty();
}

// Which algorithms serve which distributions, judged at four ranks.
std::vector<Delivery> deliveries() {
  std::vector<Delivery> all;
  for (const Listed &listed : routed_by_destination()) {
    for (const Distribution &distribution : distributions()) {
      const Delivery delivery{listed, &distribution};
      const Setting setting = settings(*listed.algorithm, 4).at(0);
      if (serves(*listed.algorithm, setting, dense_world(4, sizes_of(delivery, 4)))) all.push_back(delivery);
    }
  }
  return all;
}

std::string first_fault(const Algorithm &algorithm, const Setting &setting, const std::vector<Exchange> &world,
                        Wire wire) {
  return delivery_fault(plan_all(algorithm, setting.parameters, setting.topology(), world, wire).schedules, world);
}

class DeliveryOf : public testing::TestWithParam<Delivery> {};

TEST_P(DeliveryOf, FromDenseToDenseOnEveryWire) {
  const auto &[kind, algorithm] = GetParam().listed;

  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const std::vector<Exchange> world = of_kind(*kind, dense_world(ranks, sizes_of(GetParam(), ranks)));
    for (const Setting &setting : settings(*algorithm, ranks)) {
      for (const auto &[wire, word] : wire_words) {
        ASSERT_EQ(first_fault(*algorithm, setting, world, wire), "") << describe(setting) << ", wire " << word;
      }
    }
  }
}

TEST_P(DeliveryOf, WithGapsAndInAnyOrder) {
  const auto &[kind, algorithm] = GetParam().listed;

  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    const auto seed = static_cast<unsigned>(ranks);
    const std::vector<Exchange> world = of_kind(*kind, gapped_world(ranks, sizes_of(GetParam(), ranks), seed));
    for (const Setting &setting : settings(*algorithm, ranks)) {
      ASSERT_EQ(first_fault(*algorithm, setting, world, Wire::packed), "") << describe(setting);
    }
  }
}

// Enough ranks that blocks wait for places in scratch, with nodes of several sizes.
TEST(DeliveryThroughSharedMemory, OfManyRanksWhosePlacesAreLentAgain) {
  for (const int ranks : {45, 64, 71}) {
    const std::vector<Exchange> world = dense_world(ranks, irregular);
    for (const char *name : {"tuna", "tuna_hierarchical", "node_aggregated"}) {
      const Algorithm &algorithm = *find_algorithm(name);
      for (const int radix : {2, 3}) {
        for (const int of_node : {5, 32, 128}) {
          Topology topology{ranks, {}};
          for (int rank = 0; rank < ranks; ++rank) topology.node_of.push_back(rank / of_node);
          const Parameters parameters = effective(algorithm, {.radix = radix}, ranks);

          const Planned planned = plan_all(algorithm, parameters, topology, world, Wire::shared);

          ASSERT_EQ(delivery_fault(planned.schedules, world), "")
              << name << " on " << ranks << " ranks, " << of_node << " a node, radix " << radix;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, DeliveryOf, testing::ValuesIn(deliveries()), [](const auto &instance) {
  return name_of(instance.param.listed) + "_" + instance.param.distribution->name;
});

}  // namespace
}  // namespace rondo::internal
