// Exchanges whose counts come with the data deliver: all ranks in one process, several starts with other counts, ranks
// out of step, every algorithm that has a route for blocks of any size.

#include <gtest/gtest.h>

#include <limits>

#include "tests/plans/node_maps.hpp"
#include "tests/plans/settings.hpp"
#include "tests/varying/ranks.hpp"

namespace rondo::internal {
namespace {

std::int64_t scattered(int source, int destination, int start) {
  const unsigned mixed = (static_cast<unsigned>(source) * 2654435761U) ^ (static_cast<unsigned>(destination) * 40503U) ^
                         (static_cast<unsigned>(start) * 97U);
  return (mixed >> 7) % 90;
}

struct Counts {
  const char *name;
  LengthOf length_of;
};

const std::vector<Counts> &counts() {
  static const std::vector<Counts> all = {
      {"Scattered", scattered},
      {"AllEmpty", [](int, int, int) { return 0; }},
      {"OneSenderByTurns", [](int s, int, int n) { return s == n ? 300 : 0; }},
      {"EverythingToOne", [](int s, int d, int n) { return d == n % 2 ? s + 200 : 0; }},
      {"GrowingAndShrinking", [](int s, int d, int n) { return (s + d) % 3 == 0 ? (n == 2 ? 9000 : 9) : n; }},
      {"FewBlocks", [](int s, int d, int n) { return (s * 5 + d + n) % 11 == 0 ? 40 : 0; }},
  };
  return all;
}

std::vector<const Algorithm *> of_any_size() {
  std::vector<const Algorithm *> all;
  for (const Algorithm *algorithm : routed_algorithms()) {
    const Case uneven{.topology = {.ranks = 4, .node_of = {}}, .smallest_block = 0, .largest_block = 9};
    if (algorithm->obstacle(uneven, effective(*algorithm, {}, 4)).empty()) all.push_back(algorithm);
  }
  return all;
}

class VaryingDelivery : public testing::TestWithParam<const Algorithm *> {};

TEST_P(VaryingDelivery, OfEveryParameterAndCount) {
  for (int ranks = 1; ranks <= 12; ++ranks) {
    for (const Setting &setting : settings(*GetParam(), ranks)) {
      for (const Counts &drawn : counts()) {
        VaryingRanks all(*GetParam(), setting.parameters, setting.topology(), 2048);

        const std::string fault = first_fault(all, ranks, 5, drawn.length_of, static_cast<unsigned>(ranks));

        ASSERT_EQ(fault, "") << drawn.name << ", " << describe(setting);
      }
    }
  }
}

TEST_P(VaryingDelivery, OfManyRanks) {
  for (const int ranks : {17, 31, 48, 64}) {
    const Parameters parameters = effective(*GetParam(), {}, ranks);
    const Topology topology = topology_of(nodes_of_sizes(ranks, {8}));
    if (!GetParam()->obstacle({.topology = topology, .largest_block = 9}, parameters).empty()) continue;
    VaryingRanks all(*GetParam(), parameters, topology, 8192);

    const std::string fault = first_fault(all, ranks, 3, scattered, 5);

    ASSERT_EQ(fault, "") << ranks;
  }
}

TEST_P(VaryingDelivery, WithLengthsInMessagesOfTheirOwn) {
  for (const int ranks : {2, 3, 7, 16}) {
    const Parameters parameters = effective(*GetParam(), {}, ranks);
    const Topology topology = topology_of(nodes_of_sizes(ranks, {4}));
    if (!GetParam()->obstacle({.topology = topology, .largest_block = 9}, parameters).empty()) continue;
    for (const Counts &drawn : counts()) {
      VaryingRanks all(*GetParam(), parameters, topology, SlotPlaces::least_bytes, Metadata::separate);

      const std::string fault = first_fault(all, ranks, 4, drawn.length_of, 3);

      ASSERT_EQ(fault, "") << drawn.name << ", " << ranks;
    }
  }
}

// Blocks of some pages, of one byte, and empty ones; more of them in a message than a slot can tell of.
TEST_P(VaryingDelivery, OfDataThatIsReadFromWhereItLies) {
  const LengthOf mixed = [](int s, int d, int n) {
    const std::int64_t drawn = scattered(s, d, n);
    return drawn % 3 == 0 ? 4096 + 97 * drawn : drawn % 3 - 1;
  };
  for (const Metadata metadata : {Metadata::joined, Metadata::separate}) {
    for (const int ranks : {2, 3, 7, 32}) {
      for (const Setting &setting : settings(*GetParam(), ranks)) {
        VaryingRanks all(*GetParam(), setting.parameters, setting.topology(), SlotPlaces::least_with_tray, metadata,
                         false, 3000);

        const std::string fault = first_fault(all, ranks, 4, mixed, 7);

        ASSERT_EQ(fault, "") << describe(setting);
      }
    }
  }
}

// Some are longer than what there is for them, and some too short to stay where they are.
TEST_P(VaryingDelivery, OfBlocksInSendMemory) {
  const LengthOf mixed = [](int s, int d, int n) {
    const std::int64_t drawn = scattered(s, d, n);
    return drawn % 3 == 0 ? 4096 + 997 * drawn : drawn % 3 - 1;
  };
  for (const std::int64_t least_read : {std::int64_t{9000}, std::numeric_limits<std::int64_t>::max()}) {
    for (const int ranks : {1, 2, 3, 7, 16}) {
      for (const Setting &setting : settings(*GetParam(), ranks)) {
        VaryingRanks all(*GetParam(), setting.parameters, setting.topology(), SlotPlaces::least_bytes, Metadata::joined,
                         ranks % 2 == 1, least_read);

        const std::string fault = first_fault_in_place(all, ranks, 7, mixed, static_cast<unsigned>(ranks));

        ASSERT_EQ(fault, "") << describe(setting);
      }
    }
  }
}

TEST_P(VaryingDelivery, TakesNoMoreMemoryWhereStartsDoNotGrow) {
  const Parameters parameters = effective(*GetParam(), {}, 8);
  VaryingRanks all(*GetParam(), parameters, {.ranks = 8, .node_of = {}}, 8192);
  ASSERT_EQ(first_fault(all, 8, 3, scattered, 1), "");
  const std::int64_t before = all.memory(3);

  ASSERT_EQ(first_fault(all, 8, 3, scattered, 2), "");

  EXPECT_LE(all.memory(3), before);
}

TEST_P(VaryingDelivery, TellsAllRanksTheFiguresOfAll) {
  for (int ranks = 1; ranks <= 12; ++ranks) {
    for (const Setting &setting : settings(*GetParam(), ranks)) {
      VaryingRanks all(*GetParam(), setting.parameters, setting.topology(), SlotPlaces::least_with_tray,
                       Metadata::joined, true);

      const std::string fault = first_fault(all, ranks, 3, scattered, 4);

      ASSERT_EQ(fault, "") << describe(setting);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, VaryingDelivery, testing::ValuesIn(of_any_size()),
                         [](const auto &listed) { return std::string(listed.param->name); });

class VaryingHierarchy : public testing::TestWithParam<const Algorithm *> {};

TEST_P(VaryingHierarchy, DeliversOnEveryNodeMap) {
  for (const Topology &topology : node_maps_up_to(13)) {
    for (const Parameters &parameters : parameters_on(*GetParam(), topology)) {
      VaryingRanks all(*GetParam(), parameters, topology, 4096, Metadata::joined, true);

      const std::string fault = first_fault(all, topology.ranks, 2, scattered, 9);

      ASSERT_EQ(fault, "") << describe(topology, parameters);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, VaryingHierarchy, testing::ValuesIn(hierarchical_algorithms()),
                         [](const auto &listed) { return std::string(listed.param->name); });

}  // namespace
}  // namespace rondo::internal
