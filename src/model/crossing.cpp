#include "model/crossing.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// Routes of up to so many blocks in all are counted; and of two ranks alone, on up to so many ranks.
constexpr std::int64_t most_for_all = 4096;
constexpr int most_for_two = 2048;

std::vector<int> ranks_to_count(const NodeIndex &nodes) {
  int node = 0;
  while (nodes.size(node) < nodes.largest()) ++node;
  const auto members = nodes.members(node);
  if (std::int64_t{nodes.largest()} * nodes.ranks() <= most_for_all) return {members.begin(), members.end()};
  return {members.front(), members.back()};
}

// Adds one rank's share of what so many ranks do.
void add(Load &load, double of_rank, std::size_t ranks) {
  load.most = std::max(load.most, of_rank);
  load.mean += of_rank / static_cast<double>(ranks);
}

// Where each rank sends to each other.
Crossing crossing_of_all_pairs(const NodeIndex &nodes) {
  const double near = nodes.largest() - 1;
  const double far = nodes.ranks() - nodes.largest();
  return {{near, near}, {far, far}, {near, near}, {far, far}, far > 0 ? 1.0 : 0.0};
}

}  // namespace

std::optional<Crossing> crossing_of(const Algorithm &algorithm, const Topology &topology,
                                    const Parameters &parameters) {
  if (topology.ranks > most_for_two) return std::nullopt;
  const NodeIndex nodes(topology);
  if (algorithm.layout == Layout::native) return crossing_of_all_pairs(nodes);
  if (algorithm.route == nullptr) return std::nullopt;
  const std::vector<int> ranks = ranks_to_count(nodes);
  std::vector<char> far_in_step;
  Crossing crossing;
  for (const int rank : ranks) {
    const Route route = algorithm.route(rank, topology, parameters);
    far_in_step.resize(route.steps(), 0);
    double near = 0;
    double far = 0;
    double near_moves = 0;
    double far_moves = 0;
    for (int step = 0; step < route.steps(); ++step) {
      for (const Message &message : route.sends.messages(step)) {
        const bool inside = nodes.node_of(message.peer) == nodes.node_of(rank);
        (inside ? near : far) += 1;
        (inside ? near_moves : far_moves) += message.count;
        if (!inside) far_in_step[step] = 1;
      }
    }
    add(crossing.near, near, ranks.size());
    add(crossing.far, far, ranks.size());
    add(crossing.near_moves, near_moves, ranks.size());
    add(crossing.far_moves, far_moves, ranks.size());
  }
  crossing.far_steps = static_cast<double>(std::count(far_in_step.begin(), far_in_step.end(), 1));
  return crossing;
}

}  // namespace rondo::internal
