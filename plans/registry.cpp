#include <algorithm>
#include <array>

#include "plans/algorithm.hpp"

namespace rondo::internal {

extern const Algorithm native, linear, spread_out, scattered, pairwise, exclusive_or;
extern const Algorithm basic_bruck, modified_bruck, zero_rotation_bruck, zero_copy_bruck;
extern const Algorithm irregular_zero_copy_bruck, padded_bruck, padded_alltoall, two_phase_bruck, sloav, tuna;
extern const Algorithm tuna_hierarchical, node_aggregated, tuna_explicit;
extern const Algorithm gather_spread_out, dissemination, root_gathering, pipelined_root_gathering, segmented, two_stage,
    balanced;

namespace {

// Where an estimate calls two equal, the earlier one is taken.
constexpr const Algorithm *for_all_to_alls[] = {
    &native,
    &spread_out,
    &scattered,
    &linear,
    &pairwise,
    &exclusive_or,
    &basic_bruck,
    &modified_bruck,
    &zero_rotation_bruck,
    &zero_copy_bruck,
    &padded_bruck,
    &padded_alltoall,
    &tuna,
    &two_phase_bruck,
    &irregular_zero_copy_bruck,
    &sloav,
    &tuna_hierarchical,
    &node_aggregated,
    &tuna_explicit,
};
constexpr const Algorithm *for_all_gathers[] = {
    &native,   &gather_spread_out, &dissemination,  &segmented,
    &balanced, &two_stage,         &root_gathering, &pipelined_root_gathering,
};

struct Table {
  const Kind *kind;
  std::span<const Algorithm *const> algorithms;
};
constexpr std::array tables = {
    Table{&all_to_all, for_all_to_alls},
    Table{&all_gather, for_all_gathers},
};

Parameters with_defaults(const Parameters &wished, const Parameters &defaults) {
  const auto said = [](int value, int otherwise) { return value > 0 ? value : otherwise; };
  return {.radix = said(wished.radix, defaults.radix),
          .block_count = said(wished.block_count, defaults.block_count),
          .leaders = said(wished.leaders, defaults.leaders),
          .pattern = wished.pattern == Pattern::none ? defaults.pattern : wished.pattern};
}

Parameters limits_of(const Algorithm &algorithm, const Topology &topology, const Parameters &wished) {
  if (algorithm.limits != nullptr) return algorithm.limits(topology, wished);
  return {.radix = std::max(2, topology.ranks), .block_count = std::max(1, topology.ranks - 1), .leaders = 1};
}

}  // namespace

std::span<const Kind *const> kinds() {
  static constexpr auto all = [] {
    std::array<const Kind *, tables.size()> list{};
    std::transform(tables.begin(), tables.end(), list.begin(), [](const Table &table) { return table.kind; });
    return list;
  }();
  return all;
}

std::span<const Algorithm *const> algorithms(const Kind &kind) {
  const auto *const found =
      std::find_if(tables.begin(), tables.end(), [&](const Table &table) { return table.kind == &kind; });
  return found == tables.end() ? std::span<const Algorithm *const>() : found->algorithms;
}

std::vector<std::string_view> algorithm_names(const Kind &kind) {
  std::vector<std::string_view> names;
  for (const Algorithm *algorithm : algorithms(kind)) names.push_back(algorithm->name);
  return names;
}

const Algorithm *find_algorithm(std::string_view name, const Kind &kind) {
  const auto table = algorithms(kind);
  const auto found = std::find_if(table.begin(), table.end(), [&](const Algorithm *a) { return a->name == name; });
  return found == table.end() ? nullptr : *found;
}

Parameters effective(const Algorithm &algorithm, const Parameters &wished, const Topology &topology) {
  const Parameters whole = with_defaults(wished, algorithm.defaults);
  const Parameters limits = limits_of(algorithm, topology, whole);
  return {.radix = algorithm.takes_radix ? std::min(whole.radix, limits.radix) : 0,
          .block_count = algorithm.takes_block_count ? std::min(whole.block_count, limits.block_count) : 0,
          .leaders = algorithm.takes_leaders ? std::min(whole.leaders, limits.leaders) : 0,
          .pattern = algorithm.takes_pattern ? whole.pattern : Pattern::none};
}

Parameters effective(const Algorithm &algorithm, const Parameters &wished, int ranks) {
  return effective(algorithm, wished, Topology{.ranks = ranks, .node_of = {}});
}

}  // namespace rondo::internal
