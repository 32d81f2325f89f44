#include "model/choose_gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "exchange/error.hpp"
#include "model/volume.hpp"
#include "route/nodes.hpp"

namespace rondo {

namespace {

// Those which may be the busiest: the ends of each group, and who has most in it.
std::set<int> telling_ranks(const GatherFeatures &features) {
  const auto &bytes = features.bytes;
  const int middle = features.topology.second_group;
  std::set<int> ranks{0, features.topology.ranks - 1};
  if (middle > 0) ranks.insert({middle - 1, middle});
  const auto add_largest = [&](int first, int last) {
    if (first < last)
      ranks.insert(static_cast<int>(std::max_element(bytes.begin() + first, bytes.begin() + last) - bytes.begin()));
  };
  add_largest(0, middle);
  add_largest(middle, features.topology.ranks);
  return ranks;
}

// What the MPI library's own call is taken to do.
const Algorithm &stand_in_for_native(const Topology &topology) {
  return *find_gather_algorithm(topology.two_groups() ? "root_gathering" : "dissemination");
}

double seconds_of(const Estimate &estimate, bool shared, std::int64_t ranks_on_a_core) {
  const CostModel model;
  const double turns = ranks_on_a_core > 1 ? static_cast<double>(ranks_on_a_core) * model.turn : 0;
  return estimate.steps * ((shared ? model.shared_step : model.step) + turns) +
         estimate.messages * (shared ? model.shared_message : model.message) + estimate.bytes * model.byte +
         estimate.copied_bytes * model.copied_byte;
}

Choice estimated(const Algorithm &algorithm, const Parameters &parameters, const GatherFeatures &features) {
  const bool is_native = algorithm.layout == Layout::native;
  const Algorithm &counted = is_native ? stand_in_for_native(features.topology) : algorithm;
  const Parameters by = is_native ? effective(counted, {}, features.topology) : parameters;
  Choice choice{
      &algorithm, parameters, {}, std::make_shared<const Cut>(counted.gather->cut(features.topology, features.bytes))};
  std::vector<Route> routes;
  for (const int rank : telling_ranks(features)) {
    routes.push_back(counted.gather->route(rank, features.topology, by, *choice.cut));
  }
  const Volume volume = volume_of(routes, *choice.cut);
  Estimate &estimate = choice.estimate;
  estimate.steps = static_cast<double>(volume.steps);
  estimate.messages = static_cast<double>(volume.messages);
  estimate.bytes = static_cast<double>(
      bytes_in_turn(routes, features.topology, *choice.cut, counted.gather->stages(features.topology, by)));
  // Messages of several bundles are staged, both ways; those of a ring, and of one hop, lie as they are.
  if (by.radix > 1 && !is_native) estimate.copied_bytes = 2 * estimate.bytes;
  const bool shared = features.shares_memory && !is_native && count_nodes(features.topology) <= 1;
  estimate.seconds = seconds_of(estimate, shared, features.turns) + (is_native ? CostModel{}.native_overhead : 0);
  if (is_native) choice.cut = nullptr;
  return choice;
}

// Scratch and staging bytes at most. What is sent straight from the source has neither; else a step may stage what it
// sends and what it receives, and a root keeps the data of its own group.
std::int64_t most_scratch(const Choice &choice) {
  if (choice.algorithm->layout != Layout::compact) return 0;
  return static_cast<std::int64_t>(3 * choice.estimate.bytes);
}

std::vector<Parameters> parameters_to_try(const Algorithm &algorithm, const Topology &topology, const Wish &wish) {
  std::vector<Parameters> result;
  for (const int radix : wish.parameters.radix > 0 || !algorithm.takes_radix ? std::vector{wish.parameters.radix}
                                                                             : std::vector{2, 1, topology.ranks}) {
    const Parameters parameters = effective(algorithm, {.radix = radix}, topology);
    if (std::find(result.begin(), result.end(), parameters) == result.end()) result.push_back(parameters);
  }
  return result;
}

std::string known_names() {
  std::string names;
  for (const Algorithm *algorithm : gather_algorithms()) {
    names += (names.empty() ? "" : ", ") + std::string(algorithm->name);
  }
  return names;
}

void check_wish(const Case &situation, const Wish &wish) {
  const Algorithm *algorithm = find_gather_algorithm(wish.algorithm);
  if (algorithm == nullptr) {
    throw Error(Fault::algorithm,
                fmt::format("there is no algorithm '{}' for all-gathers; there are {}", wish.algorithm, known_names()));
  }
  if (const std::string reason = algorithm->obstacle(situation, wish.parameters); !reason.empty()) {
    throw Error(Fault::algorithm, fmt::format("{} is not applicable: {}", algorithm->name, reason));
  }
}

}  // namespace

std::vector<Choice> gather_candidates(const GatherFeatures &features, const Wish &wish) {
  const Case situation{.topology = features.topology, .native_fault = features.native_fault};
  std::vector<Choice> found;
  for (const Algorithm *algorithm : gather_algorithms()) {
    if (!wish.algorithm.empty() && algorithm->name != wish.algorithm) continue;
    for (const Parameters &parameters : parameters_to_try(*algorithm, features.topology, wish)) {
      if (!algorithm->obstacle(situation, parameters).empty()) continue;
      Choice choice = estimated(*algorithm, parameters, features);
      if (wish.algorithm.empty() && wish.scratch_limit && most_scratch(choice) > *wish.scratch_limit) continue;
      found.push_back(std::move(choice));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Choice &a, const Choice &b) { return a.estimate.seconds < b.estimate.seconds; });
  return found;
}

Choice choose_gather(const GatherFeatures &features, const Wish &wish) {
  if (!wish.algorithm.empty()) check_wish({.topology = features.topology, .native_fault = features.native_fault}, wish);
  std::vector<Choice> found = gather_candidates(features, wish);
  if (found.empty()) {
    const std::int64_t limit = wish.scratch_limit.value_or(-1);
    throw Error(Fault::no_memory, fmt::format("rondo_scratch_limit of {} bytes leaves no algorithm", limit))
        .with_values(-1, limit);
  }
  return std::move(found.front());
}

}  // namespace rondo
