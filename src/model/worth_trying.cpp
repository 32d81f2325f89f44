#include "model/worth_trying.hpp"

#include <algorithm>
#include <cmath>

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

// For an algorithm with leaders the digits are those of nodes. Tried are the number of all nodes, with which each node
// sends to each directly, and 2, with which there are the fewest steps. To estimate radix 2 takes seconds where there
// are thousands of nodes of different sizes: there it is tried only if the caller asks for it.
std::vector<int> radices_to_try(const Algorithm &algorithm, const Topology &topology, int wished) {
  constexpr int most_uneven_nodes = 1024;
  if (!algorithm.takes_radix) return {0};
  if (algorithm.by_segments != nullptr) return wished > 0 ? std::vector{wished} : std::vector{2, 1, topology.ranks};
  if (!algorithm.takes_leaders || wished > 0) return radices(topology.ranks, wished);
  if (count_nodes(topology) > most_uneven_nodes && !NodeIndex(topology).is_even()) return {std::max(2, topology.ranks)};
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

}  // namespace

std::vector<Parameters> worth_trying(const Algorithm &algorithm, const Topology &topology, const Parameters &wished) {
  std::vector<Parameters> result;
  for (const int radix : radices_to_try(algorithm, topology, wished.radix)) {
    for (const int leaders : leaders_to_try(algorithm, topology.ranks, wished.leaders)) {
      for (const Pattern pattern : patterns_to_try(algorithm, wished.pattern)) {
        const Parameters parameters = effective(algorithm, {radix, wished.block_count, leaders, pattern}, topology);
        if (std::find(result.begin(), result.end(), parameters) == result.end()) result.push_back(parameters);
      }
    }
  }
  return result;
}

}  // namespace rondo::internal
