#include "model/choose_gather.hpp"

#include <algorithm>
#include <set>

#include "model/candidates.hpp"
#include "model/volume.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// Those which may be the busiest: the ends of each group, and who has most in it.
std::set<int> telling_ranks(const GatherFeatures &features) {
  const auto &bytes = features.bytes;
  const int middle = features.topology.second_group;
  std::set<int> ranks{0, features.topology.ranks - 1};
  if (middle > 0) ranks.insert({middle - 1, middle});
  const auto add_largest = [&](int first, int last) {
    if (first == last) return;
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

// The algorithm is the one that is counted: for a native call, what that is taken to do.
Estimate estimated(const Algorithm &algorithm, const Parameters &parameters, const GatherFeatures &features,
                   const Cut &cut, bool is_native) {
  const CostModel model;
  std::vector<Route> routes;
  for (const int rank : telling_ranks(features)) {
    routes.push_back(algorithm.gather->route(rank, features.topology, parameters, cut));
  }
  const Volume volume = volume_of(routes, features.topology, cut);
  Estimate estimate;
  estimate.steps = static_cast<double>(volume.steps());
  estimate.messages = static_cast<double>(volume.messages);
  estimate.bytes = static_cast<double>(bytes_in_turn(volume, algorithm.gather->stages(features.topology, parameters)));
  // Messages of several bundles are staged, both ways; those of a ring, and of one hop, lie as they are.
  if (parameters.radix > 1 && !is_native) estimate.copied_bytes = 2 * estimate.bytes;
  const bool shared = features.shares_memory && !is_native && count_nodes(features.topology) <= 1;
  estimate.seconds = synchronisation(estimate, shared, features.turns, model) + estimate.bytes * model.byte +
                     estimate.copied_bytes * model.copied_byte + (is_native ? model.native_overhead : 0);
  return estimate;
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

// With each of the parameters worth trying; the sizes alone say how the data is cut.
std::vector<Choice> tried(const Algorithm &algorithm, const GatherFeatures &features, const Wish &wish) {
  const bool is_native = algorithm.layout == Layout::native;
  const Algorithm &counted = is_native ? stand_in_for_native(features.topology) : algorithm;
  const auto cut = std::make_shared<const Cut>(counted.gather->cut(features.topology, features.bytes));
  std::vector<Choice> choices;
  for (const Parameters &parameters : parameters_to_try(algorithm, features.topology, wish)) {
    const Parameters by = is_native ? effective(counted, {}, features.topology) : parameters;
    choices.push_back(
        {&algorithm, parameters, estimated(counted, by, features, *cut, is_native), is_native ? nullptr : cut});
  }
  return choices;
}

}  // namespace

std::vector<Choice> gather_candidates(const GatherFeatures &features, const Wish &wish) {
  const Case situation = features.situation();
  std::vector<Choice> found;
  for (const Algorithm *algorithm : gather_algorithms()) {
    if (!wish.algorithm.empty() && algorithm->name != wish.algorithm) continue;
    if (!obstacle(*algorithm, situation, effective(*algorithm, wish.parameters, situation.topology)).empty()) continue;
    for (Choice &choice : tried(*algorithm, features, wish)) {
      if (wish.algorithm.empty() && wish.scratch_limit && most_scratch(choice) > *wish.scratch_limit) continue;
      found.push_back(std::move(choice));
    }
  }
  sort_by_time(found);
  return found;
}

Choice choose_gather(const GatherFeatures &features, const Wish &wish) {
  check_wish(wish, gather_algorithms(), " for all-gathers", features.situation());
  return cheapest(gather_candidates(features, wish), wish);
}

}  // namespace rondo::internal
