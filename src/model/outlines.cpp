#include "model/outlines.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "model/worth_trying.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// One of these that sends the same messages: algorithms may differ in where blocks rest alone. Null where there is
// none.
const Outlined *of_same_messages(const std::vector<Outlined> &all, const Outlined &one) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Outlined &other) {
    return other.outline && other.algorithm->sendings != nullptr &&
           other.algorithm->sendings == one.algorithm->sendings && other.parameters == one.parameters;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

Outlines outlines_on(const Kind &kind, const Topology &topology, const Wish &wish) {
  Outlines outlines{.nodes = count_nodes(topology)};
  std::optional<NodeIndex> nodes;
  if (outlines.nodes > 1) nodes.emplace(topology);
  const Case of_no_size{.topology = topology};
  for (const Algorithm *algorithm : algorithms(kind)) {
    if (wish.algorithm.empty() ? algorithm->by_name_only : algorithm->name != wish.algorithm) continue;
    for (const Parameters &parameters : worth_trying(*algorithm, topology, wish.parameters)) {
      Outlined one{algorithm, parameters};
      if (algorithm->outline != nullptr && algorithm->obstacle(of_no_size, parameters).empty()) {
        const Outlined *const same = of_same_messages(outlines.all, one);
        one.outline = same != nullptr ? same->outline : algorithm->outline(topology, parameters);
        if (nodes)
          one.crossing = same != nullptr ? same->crossing : crossing_of(*algorithm, topology, *nodes, parameters);
      }
      outlines.all.push_back(one);
    }
  }
  return outlines;
}

}  // namespace rondo::internal
