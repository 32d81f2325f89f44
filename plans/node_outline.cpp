#include "plans/node_outline.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "plans/digit_walk.hpp"

namespace rondo::internal {

namespace {

// The ranks of runs of nodes, going round.
class RunSizes {
 public:
  // Of every stride-th node.
  RunSizes(const NodeIndex &nodes, int stride) : stride_(stride) {
    for (int i = 0; i < 2 * nodes.nodes(); ++i) {
      sums_.push_back(nodes.size(i % nodes.nodes()) + (i < stride ? 0 : sums_[i - stride]));
    }
  }

  // Of `count` nodes, from `first` on.
  [[nodiscard]] std::int64_t ranks(std::int64_t first, std::int64_t count) const {
    return sums_[first + (count - 1) * stride_] - (first < stride_ ? 0 : sums_[first - stride_]);
  }

 private:
  int stride_;
  std::vector<std::int64_t> sums_;
};

void raise(Outline &most, const Outline &other) {
  most.messages = std::max(most.messages, other.messages);
  most.block_moves = std::max(most.block_moves, other.block_moves);
}

// The most that one leader of this node does, where each is responsible for some far nodes: hands others' blocks to
// the other leaders and its node's own to all, sends for its node, and hands on what comes.
Outline busiest_by_nodes(const Leaders &leaders, int node, const RunSizes &run_sizes) {
  const NodeIndex &nodes = leaders.nodes();
  const std::int64_t size = nodes.size(node);
  const std::int64_t stride = leaders.count(node);
  Outline busiest{.messages = size - 1, .block_moves = nodes.ranks() - 1};
  for (std::int64_t distance = 1; distance <= std::min<std::int64_t>(stride, nodes.nodes() - 1); ++distance) {
    const std::int64_t far_nodes = (nodes.nodes() - 1 - distance) / stride + 1;
    const std::int64_t far_ranks = run_sizes.ranks(node + distance, far_nodes);
    raise(busiest,
          {.messages = 2 * (size - 1) + far_nodes, .block_moves = nodes.ranks() - 1 + 2 * (size - 1) * far_ranks});
  }
  return busiest;
}

// The messages of a step from one node to another, by the leader that sends them: one to each leader there that takes
// over some of its blocks. The blocks are for the ranks of the nodes `homes`.
std::vector<std::int64_t> messages_in_step(const Leaders &leaders, int node, int to, const std::vector<int> &homes) {
  std::vector<std::int64_t> messages(leaders.count(node), 0);
  if (leaders.count(node) == leaders.count(to)) {  // leader to leader of the same local index
    LeaderSums destinations(leaders.count(node));
    for (const int home : homes) destinations.add(leaders.first_number(home), leaders.nodes().size(home), 1);
    const std::vector<std::int64_t> sums = destinations.sums();
    std::transform(sums.begin(), sums.end(), messages.begin(),
                   [](std::int64_t sum) { return std::min<std::int64_t>(sum, 1); });
    return messages;
  }
  std::vector<std::pair<int, int>> links;
  for (const int home : homes) {
    for (const int destination : leaders.nodes().members(home)) {
      links.emplace_back(leaders.by_destination(node, destination), leaders.by_destination(to, destination));
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  for (const auto &[from, peer] : links) ++messages[from];
  return messages;
}

// What each leader of a node does between nodes, where each is responsible for some destinations.
struct Between {
  std::vector<std::int64_t> messages;
  std::vector<std::int64_t> block_moves;
};

Between between_by_digits(const Leaders &leaders, int node, int radix, const RunSizes &run_sizes) {
  const std::int64_t ring = leaders.nodes().nodes();
  const auto below = [&](std::int64_t distance) { return static_cast<int>((node - distance + ring) % ring); };
  Between between{std::vector<std::int64_t>(leaders.count(node), 0), {}};
  LeaderSums block_moves(leaders.count(node));
  std::vector<int> homes;
  for_each_step(ring, radix, [&](std::int64_t power, std::int64_t hop) {
    homes.clear();
    // Blocks with a distance e still to go, this step's hop included, may have come any distance below `power`.
    for (std::int64_t e = hop; e < ring; e += power * radix) {
      const int home = homes.emplace_back(below(e));
      const std::int64_t sources = run_sizes.ranks(node, std::min(power, ring - e));
      block_moves.add(leaders.first_number(home), leaders.nodes().size(home), sources);
    }
    const std::vector<std::int64_t> messages = messages_in_step(leaders, node, below(hop), homes);
    std::transform(messages.begin(), messages.end(), between.messages.begin(), between.messages.begin(), std::plus<>());
  });
  between.block_moves = block_moves.sums();
  return between;
}

Outline busiest_by_destinations(const Leaders &leaders, int node, int radix, const RunSizes &run_sizes) {
  const std::int64_t ranks = leaders.nodes().ranks();
  const std::int64_t size = leaders.nodes().size(node);
  const std::int64_t count = leaders.count(node);
  const std::vector<std::int64_t> load = leaders.loads(static_cast<int>(count));
  const Between between = between_by_digits(leaders, node, radix, run_sizes);
  Outline busiest;
  for (std::int64_t leader = 0; leader < count; ++leader) {
    const auto i = static_cast<std::size_t>(leader);
    // Of its own node's ranks a leader serves every count-th, beginning with itself; to other leaders it gives its
    // blocks for what they serve elsewhere.
    const std::int64_t served = (size - 1 - leader) / count;
    const std::int64_t far = load[i] - 1 - served;
    raise(busiest, {.messages = size - 1 + between.messages[i] + served,
                    .block_moves = ranks - 1 - far + between.block_moves[i] + served * (ranks - size)});
  }
  return busiest;
}

}  // namespace

Outline direct_node_outline(const Leaders &leaders) {
  std::map<int, RunSizes> run_sizes;  // by number of leaders, which is the stride of what each leader serves
  Outline busiest;
  for (int node = 0; node < leaders.nodes().nodes(); ++node) {
    const int stride = leaders.count(node);
    const RunSizes &runs = run_sizes.try_emplace(stride, leaders.nodes(), stride).first->second;
    raise(busiest, busiest_by_nodes(leaders, node, runs));
  }
  return busiest;
}

Outline digit_node_outline(const Leaders &leaders, int radix) {
  const RunSizes run_sizes(leaders.nodes(), 1);
  const int different = leaders.nodes().is_even() ? 1 : leaders.nodes().nodes();
  Outline busiest;
  for (int node = 0; node < different; ++node) {
    raise(busiest, busiest_by_destinations(leaders, node, radix, run_sizes));
  }
  return busiest;
}

}  // namespace rondo::internal
