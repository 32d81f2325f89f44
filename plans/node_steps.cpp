#include "plans/node_steps.hpp"

#include <algorithm>

#include "plans/digit_walk.hpp"

namespace rondo::internal {

namespace {

// Where a rank is.
struct Position {
  Position(int rank, const Leaders &leaders)
      : nodes(leaders.nodes()), node(nodes.node_of(rank)), own(nodes.local_index(rank)), size(nodes.size(node)) {}

  [[nodiscard]] int member(int index) const { return nodes.members(node)[index]; }

  const NodeIndex &nodes;
  int node;
  int own;  // local index
  int size;
};

void carry_all(Traffic &traffic, std::span<const int> sources, std::span<const int> destinations) {
  for (const int destination : destinations) {
    for (const int source : sources) traffic.carry({source, destination});
  }
}

// Calls visit(to, from) for local indices at the same distance up and down, nearest first: no rank of the node is
// flooded by all others at once.
template <class Visit>
void for_each_neighbour(const Position &position, Visit &&visit) {
  for (int k = 1; k < position.size; ++k)
    visit((position.own + k) % position.size, (position.own - k + position.size) % position.size);
}

void carry_to_leader(Traffic &traffic, int peer, int source, std::span<const int> destinations) {
  traffic.begin_message(peer);
  for (const int destination : destinations) traffic.carry({source, destination});
}

// The message with the blocks from some nodes for one destination; none when there are no nodes.
void carry_from_leader(Traffic &traffic, int peer, const NodeIndex &nodes, std::span<const int> from, int destination) {
  if (from.empty()) return;
  traffic.begin_message(peer);
  for (const int node : from) {
    for (const int source : nodes.members(node)) traffic.carry({source, destination});
  }
}

// The nodes other than one's own.
std::vector<int> far_nodes(const Position &position) {
  std::vector<int> far;
  for (int k = 1; k < position.nodes.nodes(); ++k) far.push_back((position.node + k) % position.nodes.nodes());
  return far;
}

// The blocks that a step moves, each with its peer, on their way into messages: one a peer, in order of peers.
class Sorter {
 public:
  void add(int peer, Block block) { moves_.push_back({peer, block}); }

  void emit(Traffic &traffic) {
    const auto by_peer = [](const Move &a, const Move &b) { return a.peer < b.peer; };
    if (!std::is_sorted(moves_.begin(), moves_.end(), by_peer)) {
      std::stable_sort(moves_.begin(), moves_.end(), by_peer);
    }
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (i == 0 || moves_[i].peer != moves_[i - 1].peer) traffic.begin_message(moves_[i].peer);
      traffic.carry(moves_[i].block);
    }
    moves_.clear();
  }

 private:
  struct Move {
    int peer;
    Block block;
  };
  std::vector<Move> moves_;
};

}  // namespace

void hand_to_leaders(Route &route, const Leaders &leaders, Serves serves) {
  const Position position(route.rank, leaders);
  const NodeIndex &nodes = position.nodes;
  const Groups bound_for(nodes.by_node(), position.size, [&](int destination) {
    const int home = nodes.node_of(destination);
    if (home == position.node) return nodes.local_index(destination);
    return serves == Serves::nodes ? leaders.by_node(position.node, home)
                                   : leaders.by_destination(position.node, destination);
  });
  route.begin_step();
  for_each_neighbour(position, [&](int to, int from) {
    carry_to_leader(route.sends, position.member(to), route.rank, bound_for[to]);
    carry_to_leader(route.receives, position.member(from), position.member(from), bound_for[position.own]);
  });
}

void between_nodes_directly(Route &route, const Leaders &leaders) {
  const Position position(route.rank, leaders);
  const auto here = position.nodes.members(position.node);
  const auto leader_there = [&](int other) {
    return position.nodes.members(other)[leaders.by_node(other, position.node)];
  };
  route.begin_step();
  for (const int other : far_nodes(position)) {
    if (leaders.by_node(position.node, other) != position.own) continue;
    const auto there = position.nodes.members(other);
    route.sends.begin_message(leader_there(other));
    carry_all(route.sends, here, there);
    route.receives.begin_message(leader_there(other));
    carry_all(route.receives, there, here);
  }
}

void between_nodes_by_digits(Route &route, const Leaders &leaders, int radix) {
  const Position position(route.rank, leaders);
  const NodeIndex &nodes = position.nodes;
  const std::int64_t ring = nodes.nodes();
  std::vector<int> led;
  for (const int destination : nodes.by_node()) {
    if (leaders.by_destination(position.node, destination) == position.own) led.push_back(destination);
  }
  const Groups held(led, nodes.nodes(), [&](int destination) { return nodes.node_of(destination); });
  Sorter sorter;
  // The blocks that leave node `sender` in a step, as far as this rank leads them before (it is on that node) or
  // after (it is on the next); the leaders at the other end of their hop are on node `other`.
  const auto sort = [&](std::int64_t sender, int other, std::int64_t power, std::int64_t hop) {
    for_each_distance(ring, radix, power, hop, [&](std::int64_t i) {
      const std::int64_t from = (sender + i % power) % ring;
      const std::int64_t home = (from - i + ring) % ring;
      for (const int destination : held[static_cast<int>(home)]) {
        const int leader = leaders.by_destination(other, destination);
        const int peer = nodes.members(other)[leader];
        for (const int source : nodes.members(static_cast<int>(from))) sorter.add(peer, {source, destination});
      }
    });
  };
  for_each_step(ring, radix, [&](std::int64_t power, std::int64_t hop) {
    const int to = static_cast<int>((position.node - hop + ring) % ring);
    const int from = static_cast<int>((position.node + hop) % ring);
    route.begin_step();
    sort(position.node, to, power, hop);
    sorter.emit(route.sends);
    sort(from, from, power, hop);
    sorter.emit(route.receives);
  });
}

void hand_to_destinations(Route &route, const Leaders &leaders, Serves serves) {
  const Position position(route.rank, leaders);
  const std::vector<int> far = far_nodes(position);
  const Groups far_by_leader(far, position.size, [&](int other) { return leaders.by_node(position.node, other); });
  // The nodes whose blocks for one rank a leader has, both by local index.
  const auto nodes_via = [&](int leader, int rank) -> std::span<const int> {
    if (serves == Serves::nodes) return far_by_leader[leader];
    return leaders.by_destination(position.node, position.member(rank)) == leader ? std::span(far)
                                                                                  : std::span<const int>();
  };
  route.begin_step();
  for_each_neighbour(position, [&](int to, int from) {
    carry_from_leader(route.sends, position.member(to), position.nodes, nodes_via(position.own, to),
                      position.member(to));
    carry_from_leader(route.receives, position.member(from), position.nodes, nodes_via(from, position.own), route.rank);
  });
}

}  // namespace rondo::internal
