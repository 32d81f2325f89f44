#include "model/crossing.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// Routes are followed on up to so many ranks; those of all ranks of a node where there are up to so many blocks in
// them.
constexpr int most_to_follow = 2048;
constexpr std::int64_t most_blocks = 4096;
// Messages that are named are counted for all ranks of a node where they are so many in all.
constexpr std::int64_t most_messages = 65536;

std::span<const int> fullest_node(const NodeIndex &nodes) {
  int node = 0;
  while (nodes.size(node) < nodes.largest()) ++node;
  return nodes.members(node);
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
  return {{near, near}, {far, far}, {near, near}, {far, far}, far > 0 ? 1.0 : 0.0, nodes.largest()};
}

// Adds up what ranks of one node send.
class Counting {
 public:
  Counting(const NodeIndex &nodes, std::size_t ranks) : nodes_(nodes), ranks_(ranks) {
    crossing_.ranks = nodes.largest();
  }

  void add_rank(int rank, std::span<const Sending> sendings) {
    const int own = nodes_.node_of(rank);
    double near = 0;
    double far = 0;
    double near_moves = 0;
    double far_moves = 0;
    for (const Sending &sending : sendings) {
      const bool inside = nodes_.node_of(sending.peer) == own;
      (inside ? near : far) += 1;
      (inside ? near_moves : far_moves) += static_cast<double>(sending.blocks);
      if (!inside) goes_far_in(static_cast<std::size_t>(sending.step));
    }
    add(crossing_.near, near, ranks_);
    add(crossing_.far, far, ranks_);
    add(crossing_.near_moves, near_moves, ranks_);
    add(crossing_.far_moves, far_moves, ranks_);
  }

  [[nodiscard]] Crossing result() {
    crossing_.far_steps = static_cast<double>(std::count(far_in_step_.begin(), far_in_step_.end(), 1));
    return crossing_;
  }

 private:
  void goes_far_in(std::size_t step) {
    if (step >= far_in_step_.size()) far_in_step_.resize(step + 1, 0);
    far_in_step_[step] = 1;
  }

  const NodeIndex &nodes_;
  const std::size_t ranks_;
  std::vector<char> far_in_step_;
  Crossing crossing_;
};

std::vector<Sending> sendings_along(const Route &route) {
  std::vector<Sending> all;
  for (int step = 0; step < route.steps(); ++step) {
    for (const Message &message : route.sends.messages(step)) all.push_back({step, message.peer, message.count});
  }
  return all;
}

}  // namespace

std::optional<Crossing> crossing_of(const Algorithm &algorithm, const Topology &topology, const NodeIndex &nodes,
                                    const Parameters &parameters) {
  if (algorithm.layout == Layout::native) return crossing_of_all_pairs(nodes);
  const std::span<const int> members = fullest_node(nodes);
  std::optional<std::vector<Sending>> named;
  if (algorithm.sendings != nullptr) named = algorithm.sendings(members.front(), nodes, parameters);
  if (!named && (algorithm.route == nullptr || topology.ranks > most_to_follow)) return std::nullopt;
  const bool all = named ? std::ssize(*named) * std::ssize(members) <= most_messages
                         : std::int64_t{nodes.largest()} * nodes.ranks() <= most_blocks;
  std::vector<int> counted(members.begin(), members.end());
  if (!all) counted = {members.front(), members.back()};
  Counting counting(nodes, counted.size());
  for (const int rank : counted) {
    if (named && rank != members.front()) named = algorithm.sendings(rank, nodes, parameters);
    counting.add_rank(rank, named ? *named : sendings_along(algorithm.route(rank, topology, parameters)));
  }
  return counting.result();
}

}  // namespace rondo::internal
