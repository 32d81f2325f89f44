#include "model/outlines.hpp"

#include "model/worth_trying.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

Outlines outlines_on(const Kind &kind, const Topology &topology, const Wish &wish) {
  Outlines outlines{.nodes = count_nodes(topology)};
  const Case of_no_size{.topology = topology};
  for (const Algorithm *algorithm : algorithms(kind)) {
    if (!wish.algorithm.empty() && algorithm->name != wish.algorithm) continue;
    for (const Parameters &parameters : worth_trying(*algorithm, topology, wish.parameters)) {
      Outlined &one = outlines.all.emplace_back(Outlined{algorithm, parameters});
      if (algorithm->outline == nullptr || !algorithm->obstacle(of_no_size, parameters).empty()) continue;
      one.outline = algorithm->outline(topology, parameters);
      if (outlines.nodes > 1) one.crossing = crossing_of(*algorithm, topology, parameters);
    }
  }
  return outlines;
}

}  // namespace rondo::internal
