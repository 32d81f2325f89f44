#include "plans/far_messages.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

// One message: blocks of the sources for one destination. `turn` counts the messages of its sender.
struct FarMessage {
  std::int64_t turn;
  int peer;
  std::span<const int> sources;
  int destination;
};

class FarMessages {
 public:
  explicit FarMessages(Pattern pattern) : pattern_(pattern) {}

  // All that a node has for a destination, when the sender has served so many destinations before.
  void add(std::int64_t served, int peer, std::span<const int> sources, int destination) {
    if (pattern_ == Pattern::coalesced) {
      list_.push_back({served, peer, sources, destination});
      return;
    }
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const std::int64_t turn = served * static_cast<std::int64_t>(sources.size()) + static_cast<std::int64_t>(s);
      list_.push_back({turn, peer, sources.subspan(s, 1), destination});
    }
  }

  // Turns 0..batch-1 in the first step, and so on.
  void emit(Traffic &traffic, std::int64_t steps, int batch) {
    std::stable_sort(list_.begin(), list_.end(), [](const auto &a, const auto &b) { return a.turn < b.turn; });
    auto next = list_.begin();
    for (std::int64_t step = 0; step < steps; ++step) {
      traffic.begin_step();
      for (; next != list_.end() && next->turn / batch == step; ++next) {
        traffic.begin_message(next->peer);
        for (const int source : next->sources) traffic.carry({source, next->destination});
      }
    }
  }

 private:
  Pattern pattern_;
  std::vector<FarMessage> list_;
};

// The destinations on other nodes that a rank serves, in its order: of the nodes after its own first, going round.
std::vector<int> far_destinations(int rank, const Leaders &leaders) {
  const NodeIndex &nodes = leaders.nodes();
  const int node = nodes.node_of(rank);
  const int count = leaders.count(node);
  std::vector<int> far;
  for (int distance = 1; distance < nodes.nodes(); ++distance) {
    const std::span<const int> there = nodes.members((node + distance) % nodes.nodes());
    const int leader_of_first = leaders.by_destination(node, there.front());
    const int first = (nodes.local_index(rank) - leader_of_first + count) % count;
    for (int i = first; i < std::ssize(there); i += count) far.push_back(there[static_cast<std::size_t>(i)]);
  }
  return far;
}

FarMessages far_messages_out(int rank, const Leaders &leaders, Pattern pattern) {
  const NodeIndex &nodes = leaders.nodes();
  const int node = nodes.node_of(rank);
  const std::vector<int> far = far_destinations(rank, leaders);
  FarMessages out(pattern);
  for (std::size_t i = 0; i < far.size(); ++i) {
    out.add(static_cast<std::int64_t>(i), far[i], nodes.members(node), far[i]);
  }
  return out;
}

// A receiver's view of its senders' turns: how many destinations the leaders of nodes of one size serve before this
// rank. O(nodes) to make, once for each size that nodes have.
class Queue {
 public:
  Queue(int rank, int sender, const Leaders &leaders)
      : rank_(rank), nodes_(leaders.nodes()), size_(nodes_.size(sender)) {
    const int leader = leaders.by_destination(sender, rank);
    served_.push_back(0);
    for (int node = 0; node < nodes_.nodes(); ++node) {
      // The first of a node's destinations that the leader serves; then every size-th.
      const int start = leaders.by_destination(sender, nodes_.members(node)[0]);
      const int first = (leader - start + size_) % size_;
      served_.push_back(served_.back() + (nodes_.size(node) - first + size_ - 1) / size_);
    }
  }

  // On the nodes after `sender` and before this rank's, going round, and on this rank's before it.
  [[nodiscard]] std::int64_t before(int sender) const {
    const int own = nodes_.node_of(rank_);
    const std::int64_t round = sender < own ? 0 : served_.back();
    const std::int64_t between = served(own) - served(sender + 1) + round;
    return between + nodes_.local_index(rank_) / size_;
  }

 private:
  // By the nodes below this one.
  [[nodiscard]] std::int64_t served(int node) const { return served_[node]; }

  int rank_;
  const NodeIndex &nodes_;
  int size_;  // of the senders' nodes, all of whose ranks are leaders
  std::vector<std::int64_t> served_;
};

FarMessages far_messages_in(int rank, const Leaders &leaders, Pattern pattern) {
  const NodeIndex &nodes = leaders.nodes();
  const Groups senders = nodes.nodes_by_size();
  FarMessages in(pattern);
  for (int size = 1; size <= nodes.largest(); ++size) {
    if (senders[size].empty()) continue;
    const Queue queue(rank, senders[size][0], leaders);
    for (const int sender : senders[size]) {
      if (sender == nodes.node_of(rank)) continue;
      const auto sources = nodes.members(sender);
      const int leader = sources[leaders.by_destination(sender, rank)];
      in.add(queue.before(sender), leader, sources, rank);
    }
  }
  return in;
}

}  // namespace

std::int64_t far_messages(std::int64_t destinations, int size, Pattern pattern) {
  return pattern == Pattern::coalesced ? destinations : destinations * size;
}

std::int64_t most_far_messages(const Leaders &leaders, Pattern pattern) {
  const NodeIndex &nodes = leaders.nodes();
  const Groups by_size = nodes.nodes_by_size();
  std::int64_t most = 0;
  for (int size = 1; size <= nodes.largest(); ++size) {
    if (by_size[size].empty()) continue;
    const std::vector<std::int64_t> loads = leaders.loads(size);
    // Every rank of the node is one of its own destinations.
    const std::int64_t far = *std::max_element(loads.begin(), loads.end()) - 1;
    most = std::max(most, far_messages(far, size, pattern));
  }
  return most;
}

std::int64_t far_steps(const Leaders &leaders, const Parameters &parameters) {
  return (most_far_messages(leaders, parameters.pattern) + parameters.block_count - 1) / parameters.block_count;
}

void add_far_sendings(std::vector<Sending> &all, int rank, int steps_before, const Leaders &leaders,
                      const Parameters &parameters) {
  const NodeIndex &nodes = leaders.nodes();
  const std::int64_t size = nodes.size(nodes.node_of(rank));
  const bool coalesced = parameters.pattern == Pattern::coalesced;
  std::int64_t turn = 0;
  for (const int destination : far_destinations(rank, leaders)) {
    for (std::int64_t message = 0; message < (coalesced ? 1 : size); ++message) {
      const auto step = static_cast<int>(steps_before + turn++ / parameters.block_count);
      all.push_back({step, destination, coalesced ? size : 1});
    }
  }
}

void send_to_far_destinations(Route &route, const Leaders &leaders, const Parameters &parameters) {
  const std::int64_t steps = far_steps(leaders, parameters);
  far_messages_out(route.rank, leaders, parameters.pattern).emit(route.sends, steps, parameters.block_count);
  far_messages_in(route.rank, leaders, parameters.pattern).emit(route.receives, steps, parameters.block_count);
}

}  // namespace rondo::internal
