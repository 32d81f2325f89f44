#include "model/choose_varying.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "exchange/error.hpp"
#include "model/obstacle.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

constexpr std::int64_t usual_block = 64;
constexpr const char *no_native_call = "the MPI library has no call whose counts come with each start";

// What kind of route an algorithm has: straight to each rank, by way of the node, or by digits of all ranks.
int family_of(const Algorithm &algorithm) {
  if (one_hop(algorithm.layout)) return 0;
  return algorithm.takes_leaders || algorithm.takes_pattern ? 1 : 2;
}

}  // namespace

Features varying_features(const Topology &topology, std::optional<std::int64_t> expected_bytes) {
  const std::int64_t others = std::max(1, topology.ranks - 1);
  Features features;
  features.situation.topology = topology;
  features.situation.native_fault = no_native_call;
  features.most_sent = expected_bytes.value_or(usual_block * others);
  features.most_peers = topology.ranks - 1;
  features.situation.largest_block = std::max<std::int64_t>(1, features.most_sent / others);
  return features;
}

std::string varying_obstacle(const Algorithm &algorithm, const Features &features, const Parameters &parameters) {
  return obstacle(algorithm, features.situation, parameters);
}

std::vector<Choice> choose_varying(const Features &features, const Wish &wish, bool one_only) {
  check_wish(wish, *features.kind, features.situation);
  const bool several = !one_only && count_nodes(features.situation.topology) > 1;
  std::vector<Choice> chosen;
  for (Choice &choice : candidates(features, wish)) {
    // Padding spares messages of lengths. Here there are none, so it is for who asks for it.
    if (pads(choice.algorithm->layout) && wish.algorithm.empty()) continue;
    const bool has_family = std::any_of(chosen.begin(), chosen.end(), [&](const Choice &other) {
      return family_of(*other.algorithm) == family_of(*choice.algorithm);
    });
    if (!has_family) chosen.push_back(std::move(choice));
    if (!several) break;
  }
  return chosen;
}

}  // namespace rondo::internal
