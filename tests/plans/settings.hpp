#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// One algorithm on one number of ranks, with parameters.
struct Setting {
  int ranks;
  Parameters parameters;

  [[nodiscard]] Topology topology() const { return {.ranks = ranks, .node_of = {}}; }
};

// Every setting that makes a difference at this number of ranks and that the algorithm serves when all blocks
// have one size.
inline std::vector<Setting> settings(const Algorithm &algorithm, int ranks) {
  const int last = algorithm.takes_radix         ? std::max(2, ranks)
                   : algorithm.takes_block_count ? std::max(1, ranks - 1)
                                                 : 1;
  const int first = algorithm.takes_radix ? 2 : 1;
  std::vector<Setting> all;
  for (int value = first; value <= last; ++value) {
    const Parameters parameters = effective(algorithm, {.radix = value, .block_count = value}, ranks);
    const Setting setting{ranks, parameters};
    if (algorithm.obstacle({.topology = setting.topology()}, parameters).empty()) all.push_back(setting);
  }
  return all;
}

inline std::vector<Setting> settings_up_to(const Algorithm &algorithm, int most_ranks) {
  std::vector<Setting> all;
  for (int ranks = 1; ranks <= most_ranks; ++ranks) {
    for (const Setting &setting : settings(algorithm, ranks)) all.push_back(setting);
  }
  return all;
}

inline std::vector<Route> routes_of_all_ranks(const Algorithm &algorithm, const Setting &setting) {
  std::vector<Route> routes;
  for (int rank = 0; rank < setting.ranks; ++rank) {
    routes.push_back(algorithm.route(rank, setting.topology(), setting.parameters));
  }
  return routes;
}

// The algorithms that have a route, for tests that go through the table of a kind whose blocks are by destination.
inline std::vector<const Algorithm *> routed_algorithms(const Kind &kind = all_to_all) {
  std::vector<const Algorithm *> routed;
  for (const Algorithm *algorithm : algorithms(kind)) {
    if (algorithm->route != nullptr) routed.push_back(algorithm);
  }
  return routed;
}

// An algorithm in the table of a kind.
struct Listed {
  const Kind *kind;
  const Algorithm *algorithm;
};

// Those that have a route of all kinds whose blocks are by destination, those for all-to-alls first.
inline std::vector<Listed> routed_by_destination() {
  std::vector<Listed> all;
  for (const Kind *kind : kinds()) {
    if (kind->blocks != Numbered::by_destination) continue;
    for (const Algorithm *algorithm : routed_algorithms(*kind)) all.push_back({kind, algorithm});
  }
  return all;
}

// As part of a test's name: "tuna", or with the kind where it is another one, "gather_linear".
inline std::string name_of(const Listed &listed) {
  std::string name = (listed.kind == &all_to_all ? "" : std::string(listed.kind->name) + "_");
  name += listed.algorithm->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// For people: "17 ranks, radix 3, block count 0".
inline std::string describe(const Setting &setting) {
  return std::to_string(setting.ranks) + " ranks, radix " + std::to_string(setting.parameters.radix) +
         ", block count " + std::to_string(setting.parameters.block_count);
}

}  // namespace rondo::internal
