#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// The kinds of exchange whose blocks are segments, all-gathers first.
inline std::vector<const Kind *> kinds_by_segment() {
  std::vector<const Kind *> found;
  for (const Kind *kind : kinds()) {
    if (kind->blocks == Numbered::by_segment) found.push_back(kind);
  }
  return found;
}

// The algorithms for such a kind that have a route.
inline std::vector<const Algorithm *> routed_gathers(const Kind &kind) {
  std::vector<const Algorithm *> all;
  for (const Algorithm *algorithm : algorithms(kind)) {
    if (algorithm->layout != Layout::native) all.push_back(algorithm);
  }
  return all;
}

// Groups of p and q ranks; with q = 0, one group.
inline Topology groups_of(int p, int q) {
  return {.ranks = p + q, .node_of = {}, .second_group = q > 0 ? p : 0};
}

struct GatherSetting {
  Topology topology;
  Parameters parameters;
};

inline std::ostream &operator<<(std::ostream &out, const GatherSetting &setting) {
  return out << setting.topology.ranks << " ranks, second group from " << setting.topology.second_group << ", radix "
             << setting.parameters.radix;
}

// Every setting that makes a difference for groups of up to so many ranks, and for one group.
inline std::vector<GatherSetting> gather_settings(const Algorithm &algorithm, int most) {
  std::vector<GatherSetting> all;
  for (int p = 1; p <= most; ++p) {
    for (int q = 0; q <= most; ++q) {
      const Topology topology = groups_of(p, q);
      for (int radix = 1; radix <= (algorithm.takes_radix ? std::max({2, p, q}) : 1); ++radix) {
        const Parameters parameters = effective(algorithm, {.radix = radix}, topology);
        if (algorithm.obstacle({.topology = topology}, parameters).empty()) all.push_back({topology, parameters});
      }
    }
  }
  return all;
}

struct GatherSizes {
  const char *name;
  std::int64_t (*of)(int rank);
};

inline const std::vector<GatherSizes> &gather_sizes() {
  static const std::vector<GatherSizes> all = {
      {"Equal", [](int) -> std::int64_t { return 12; }},
      {"OfOneByte", [](int) -> std::int64_t { return 1; }},
      {"Prime", [](int) -> std::int64_t { return 97; }},
      {"Empty", [](int) -> std::int64_t { return 0; }},
      {"Arithmetic", [](int rank) -> std::int64_t { return 5L * rank; }},
      {"Falling", [](int rank) -> std::int64_t { return rank < 40 ? 40 - rank : 0; }},
      {"OneLarge", [](int rank) -> std::int64_t { return rank % 5 == 1 ? 1000 : 1; }},
      {"HalfEmpty", [](int rank) -> std::int64_t { return rank % 2 == 0 ? 0 : 7 + rank; }},
  };
  return all;
}

inline std::vector<std::int64_t> bytes_of(const GatherSizes &sizes, int ranks) {
  std::vector<std::int64_t> bytes;
  for (int rank = 0; rank < ranks; ++rank) bytes.push_back(sizes.of(rank));
  return bytes;
}

struct GatherCase {
  const Kind *kind;
  const Algorithm *algorithm;
  const GatherSizes *sizes;
};

inline std::vector<GatherCase> gather_cases() {
  std::vector<GatherCase> all;
  for (const Kind *kind : kinds_by_segment()) {
    for (const Algorithm *algorithm : routed_gathers(*kind)) {
      for (const GatherSizes &sizes : gather_sizes()) all.push_back({kind, algorithm, &sizes});
    }
  }
  return all;
}

inline std::string name_of(const testing::TestParamInfo<GatherCase> &instance) {
  const auto &[kind, algorithm, sizes] = instance.param;
  std::string name = std::string(kind->name) + "_" + std::string(algorithm->name) + "_" + sizes->name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace rondo::internal
