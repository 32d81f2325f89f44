#include "model/route_estimate.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "model/volume.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// The ranks that may be the busiest: the first and the last rank of each group, and the one that has most data in it.
std::set<int> telling_ranks(const Features &features) {
  const Topology &topology = features.situation.topology;
  const auto &bytes = features.bytes;
  const int middle = topology.second_group;
  std::set<int> ranks{0, topology.ranks - 1};
  if (middle > 0) ranks.insert({middle - 1, middle});
  const auto add_largest = [&](int first, int last) {
    if (first == last) return;
    ranks.insert(static_cast<int>(std::max_element(bytes.begin() + first, bytes.begin() + last) - bytes.begin()));
  };
  add_largest(0, middle);
  add_largest(middle, topology.ranks);
  return ranks;
}

}  // namespace

Estimate estimate_by_routes(const Algorithm &algorithm, const Parameters &parameters, const Features &features,
                            const Cut &cut, const CostModel &model) {
  const Topology &topology = features.situation.topology;
  const bool is_native = algorithm.layout == Layout::native;
  std::vector<Route> routes;
  for (const int rank : telling_ranks(features)) {
    routes.push_back(algorithm.by_segments->route(rank, topology, parameters, cut));
  }
  const Volume volume = volume_of(routes, topology, cut);
  Estimate estimate;
  estimate.steps = static_cast<double>(volume.steps());
  estimate.messages = static_cast<double>(volume.messages);
  estimate.bytes = static_cast<double>(bytes_in_turn(volume, algorithm.by_segments->stages(topology, parameters)));
  // Messages of several bundles are staged, both ways; those of a ring, and of one hop, lie as they are.
  if (parameters.radix > 1 && !is_native) estimate.copied_bytes = 2 * estimate.bytes;
  const bool shared = features.shares_memory && !is_native && count_nodes(topology) <= 1;
  estimate.synchronising =
      synchronisation(estimate, shared, features.turns, model) + (is_native ? model.native_overhead : 0);
  estimate.moving = estimate.bytes * (shared ? model.shared_byte : model.byte);
  estimate.copying = estimate.copied_bytes * model.copied_byte;
  estimate.add_up();
  return estimate;
}

}  // namespace rondo::internal
