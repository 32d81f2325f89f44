#include "api/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// The nearest of the numbers 0, 1, and 2 to the power of half a whole number.
std::int64_t rounded(std::int64_t value) {
  if (value <= 1) return value;
  const double halves = std::round(2 * std::log2(static_cast<double>(value)));
  return std::llround(std::exp2(halves / 2));
}

}  // namespace

std::string case_name(const Agreed &agreed, const Inputs &inputs) {
  const Features &features = agreed.features;
  const Case &situation = features.situation;
  const Topology &topology = situation.topology;
  const NodeIndex nodes(topology);
  std::string name = fmt::format("{} p={}", name_of(inputs.arguments.collective), topology.ranks);
  if (topology.second_group > 0) name += fmt::format(" groups={}", topology.second_group);
  name += fmt::format(" nodes={} of={} turns={} shared={}", nodes.nodes(), nodes.largest(), features.turns,
                      features.shares_memory ? 1 : 0);
  const bool by_segments = !features.bytes.empty();
  const std::int64_t sent =
      by_segments ? *std::max_element(features.bytes.begin(), features.bytes.end()) : features.most_sent;
  name +=
      fmt::format(" sent={} largest={} peers={} received={}{}", rounded(sent), rounded(situation.largest_block),
                  rounded(features.most_peers), rounded(agreed.most_received), situation.uniform() ? " uniform" : "");
  if (situation.sends_at_start_only) name += " at_start";
  return name + hints_of_case(inputs.hints);
}

}  // namespace rondo::internal
