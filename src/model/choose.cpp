#include "model/choose.hpp"

#include <algorithm>
#include <cmath>

#include "model/candidates.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// The radices worth an estimate: few steps, few moves, and the balance between (TuNA, section V-A).
std::vector<int> radices(int ranks, int wished) {
  if (wished > 0) return {wished};
  const int root = static_cast<int>(std::ceil(std::sqrt(ranks)));
  std::vector<int> values{2, 3, 4, 8, root, ranks / 2, ranks};
  for (int &radix : values) radix = std::max(2, radix);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Where relays take part the radix is that of nodes: all of them (direct), or by the fewest steps. To count the
// latter takes seconds where thousands of nodes differ in size, so it is tried there only when wished.
std::vector<int> radices_to_try(const Algorithm &algorithm, const Topology &topology, int wished) {
  constexpr int most_uneven_nodes = 1024;
  if (!algorithm.takes_radix) return {0};
  if (!algorithm.takes_leaders || wished > 0) return radices(topology.ranks, wished);
  const NodeIndex nodes(topology);
  if (!nodes.is_even() && nodes.nodes() > most_uneven_nodes) return {std::max(2, topology.ranks)};
  return {2, std::max(2, topology.ranks)};
}

std::vector<int> leaders_to_try(const Algorithm &algorithm, int ranks, int wished) {
  if (!algorithm.takes_leaders) return {0};
  return wished > 0 ? std::vector{wished} : std::vector{1, 4, ranks};
}

std::vector<Pattern> patterns_to_try(const Algorithm &algorithm, Pattern wished) {
  if (!algorithm.takes_pattern || wished != Pattern::none) return {wished};
  return {Pattern::coalesced, Pattern::staggered};
}

// What is wished, and where nothing is, what is worth trying: each that makes a difference once.
std::vector<Parameters> parameters_to_try(const Algorithm &algorithm, const Features &features, const Wish &wish) {
  const Topology &topology = features.situation.topology;
  std::vector<Parameters> result;
  for (const int radix : radices_to_try(algorithm, topology, wish.parameters.radix)) {
    for (const int leaders : leaders_to_try(algorithm, topology.ranks, wish.parameters.leaders)) {
      for (const Pattern pattern : patterns_to_try(algorithm, wish.parameters.pattern)) {
        const Parameters wished{radix, wish.parameters.block_count, leaders, pattern};
        const Parameters parameters = effective(algorithm, wished, topology);
        if (std::find(result.begin(), result.end(), parameters) == result.end()) result.push_back(parameters);
      }
    }
  }
  return result;
}

}  // namespace

Route Choice::route(int rank, const Topology &topology) const {
  return cut ? algorithm->gather->route(rank, topology, parameters, *cut)
             : algorithm->route(rank, topology, parameters);
}

std::vector<Choice> candidates(const Features &features, const Wish &wish) {
  std::vector<Choice> found;
  for (const Algorithm *algorithm : algorithms()) {
    if (!wish.algorithm.empty() && algorithm->name != wish.algorithm) continue;
    for (const Parameters &parameters : parameters_to_try(*algorithm, features, wish)) {
      if (!obstacle(*algorithm, features.situation, parameters).empty()) continue;
      if (wish.algorithm.empty() && wish.scratch_limit &&
          most_scratch(*algorithm, parameters, features) > *wish.scratch_limit) {
        continue;
      }
      found.push_back({algorithm, parameters, estimate(*algorithm, parameters, features)});
    }
  }
  sort_by_time(found);
  return found;
}

Choice choose(const Features &features, const Wish &wish) {
  check_wish(wish, algorithms(), "", features.situation);
  return cheapest(candidates(features, wish), wish);
}

}  // namespace rondo::internal
