#include "plans/node_steps.hpp"

#include <algorithm>

#include "plans/digit_walk.hpp"

namespace rondo::internal {

namespace {

// Where a rank is.
struct Seat {
  Seat(int rank, const Relays &relays)
      : nodes(relays.nodes()), node(nodes.node_of(rank)), own(nodes.local_index(rank)), size(nodes.size(node)) {}

  [[nodiscard]] int member(int index) const { return nodes.members(node)[static_cast<std::size_t>(index)]; }

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
void for_each_neighbour(const Seat &seat, Visit &&visit) {
  for (int k = 1; k < seat.size; ++k) visit((seat.own + k) % seat.size, (seat.own - k + seat.size) % seat.size);
}

void carry_to_relay(Traffic &traffic, int peer, int source, std::span<const int> destinations) {
  traffic.begin_message(peer);
  for (const int destination : destinations) traffic.carry({source, destination});
}

// The message with the blocks from some nodes for one destination; none when there are no nodes.
void carry_from_relay(Traffic &traffic, int peer, const NodeIndex &nodes, std::span<const int> from, int destination) {
  if (from.empty()) return;
  traffic.begin_message(peer);
  for (const int node : from) {
    for (const int source : nodes.members(node)) traffic.carry({source, destination});
  }
}

// The nodes other than one's own.
std::vector<int> far_nodes(const Seat &seat) {
  std::vector<int> far;
  for (int k = 1; k < seat.nodes.nodes(); ++k) far.push_back((seat.node + k) % seat.nodes.nodes());
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

void hand_to_relays(Route &route, const Relays &relays, Duty duty) {
  const Seat seat(route.rank, relays);
  const NodeIndex &nodes = seat.nodes;
  const Groups bound_for(nodes.by_node(), seat.size, [&](int destination) {
    const int home = nodes.node_of(destination);
    if (home == seat.node) return nodes.local_index(destination);
    return duty == Duty::nodes ? relays.by_node(seat.node, home) : relays.by_destination(seat.node, destination);
  });
  route.begin_step();
  for_each_neighbour(seat, [&](int to, int from) {
    carry_to_relay(route.sends, seat.member(to), route.rank, bound_for[to]);
    carry_to_relay(route.receives, seat.member(from), seat.member(from), bound_for[seat.own]);
  });
}

void cross_directly(Route &route, const Relays &relays) {
  const Seat seat(route.rank, relays);
  const auto here = seat.nodes.members(seat.node);
  const auto relay_there = [&](int other) {
    return seat.nodes.members(other)[static_cast<std::size_t>(relays.by_node(other, seat.node))];
  };
  route.begin_step();
  for (const int other : far_nodes(seat)) {
    if (relays.by_node(seat.node, other) != seat.own) continue;
    const auto there = seat.nodes.members(other);
    route.sends.begin_message(relay_there(other));
    carry_all(route.sends, here, there);
    route.receives.begin_message(relay_there(other));
    carry_all(route.receives, there, here);
  }
}

void cross_by_digits(Route &route, const Relays &relays, int radix) {
  const Seat seat(route.rank, relays);
  const NodeIndex &nodes = seat.nodes;
  const std::int64_t ring = nodes.nodes();
  std::vector<int> relayed;
  for (const int destination : nodes.by_node()) {
    if (relays.by_destination(seat.node, destination) == seat.own) relayed.push_back(destination);
  }
  const Groups held(relayed, nodes.nodes(), [&](int destination) { return nodes.node_of(destination); });
  Sorter sorter;
  // The blocks that leave node `sender` in a step, as far as this rank relays them before (it is on that node) or
  // after (it is on the next); the relays at the other end of their hop are on node `other`.
  const auto sort = [&](std::int64_t sender, int other, std::int64_t power, std::int64_t hop) {
    for_each_distance(ring, radix, power, hop, [&](std::int64_t i) {
      const std::int64_t from = (sender + i % power) % ring;
      const std::int64_t home = (from - i + ring) % ring;
      for (const int destination : held[static_cast<int>(home)]) {
        const int relay = relays.by_destination(other, destination);
        const int peer = nodes.members(other)[static_cast<std::size_t>(relay)];
        for (const int source : nodes.members(static_cast<int>(from))) sorter.add(peer, {source, destination});
      }
    });
  };
  for_each_step(ring, radix, [&](std::int64_t power, std::int64_t hop) {
    const int to = static_cast<int>((seat.node - hop + ring) % ring);
    const int from = static_cast<int>((seat.node + hop) % ring);
    route.begin_step();
    sort(seat.node, to, power, hop);
    sorter.emit(route.sends);
    sort(from, from, power, hop);
    sorter.emit(route.receives);
  });
}

void hand_to_destinations(Route &route, const Relays &relays, Duty duty) {
  const Seat seat(route.rank, relays);
  const std::vector<int> far = far_nodes(seat);
  const Groups far_by_relay(far, seat.size, [&](int other) { return relays.by_node(seat.node, other); });
  // The nodes whose blocks for one rank a relay has, both by local index.
  const auto nodes_via = [&](int relay, int rank) -> std::span<const int> {
    if (duty == Duty::nodes) return far_by_relay[relay];
    return relays.by_destination(seat.node, seat.member(rank)) == relay ? std::span(far) : std::span<const int>();
  };
  route.begin_step();
  for_each_neighbour(seat, [&](int to, int from) {
    carry_from_relay(route.sends, seat.member(to), seat.nodes, nodes_via(seat.own, to), seat.member(to));
    carry_from_relay(route.receives, seat.member(from), seat.nodes, nodes_via(from, seat.own), route.rank);
  });
}

}  // namespace rondo::internal
