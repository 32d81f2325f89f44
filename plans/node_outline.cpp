#include "plans/node_outline.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "plans/digit_walk.hpp"

namespace rondo {

namespace {

// The ranks of runs of nodes, going round.
class RunSizes {
 public:
  // Of every stride-th node.
  RunSizes(const NodeIndex &nodes, int stride) : stride_(stride) {
    for (int i = 0; i < 2 * nodes.nodes(); ++i) {
      sums_.push_back(nodes.size(i % nodes.nodes()) + (i < stride ? 0 : sums_[index(i - stride)]));
    }
  }

  // Of `count` nodes, from `first` on.
  [[nodiscard]] std::int64_t ranks(std::int64_t first, std::int64_t count) const {
    return sums_[index(first + (count - 1) * stride_)] - (first < stride_ ? 0 : sums_[index(first - stride_)]);
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  int stride_;
  std::vector<std::int64_t> sums_;
};

void raise(Outline &most, const Outline &other) {
  most.messages = std::max(most.messages, other.messages);
  most.block_moves = std::max(most.block_moves, other.block_moves);
}

// The most that one relay of this node does, where each is responsible for some far nodes: hands others' blocks to
// the other relays and its node's own to all, sends for its node, and hands on what comes.
Outline busiest_by_nodes(const Relays &relays, int node, const RunSizes &run_sizes) {
  const NodeIndex &nodes = relays.nodes();
  const std::int64_t size = nodes.size(node);
  const std::int64_t stride = relays.relays(node);
  Outline busiest{.messages = size - 1, .block_moves = nodes.ranks() - 1};
  for (std::int64_t distance = 1; distance <= std::min<std::int64_t>(stride, nodes.nodes() - 1); ++distance) {
    const std::int64_t far_nodes = (nodes.nodes() - 1 - distance) / stride + 1;
    const std::int64_t far_ranks = run_sizes.ranks(node + distance, far_nodes);
    raise(busiest,
          {.messages = 2 * (size - 1) + far_nodes, .block_moves = nodes.ranks() - 1 + 2 * (size - 1) * far_ranks});
  }
  return busiest;
}

// What one relay does, where each is responsible for some destinations.
struct Work {
  Outline between;       // nodes
  std::int64_t far = 0;  // destinations on other nodes
};

std::vector<Work> work_by_digits(const Relays &relays, int node, int radix, const RunSizes &run_sizes) {
  const NodeIndex &nodes = relays.nodes();
  const std::int64_t ring = nodes.nodes();
  std::vector<Work> work(static_cast<std::size_t>(relays.relays(node)));
  std::vector<std::pair<int, int>> links;  // from relay to relay, by their local indices
  for_each_step(ring, radix, [&](std::int64_t power, std::int64_t hop) {
    const int to = static_cast<int>((node - hop + ring) % ring);
    links.clear();
    // Blocks with a distance e still to go, this step's hop included, begin with any digits below it.
    for (std::int64_t e = hop; e < ring; e += power * radix) {
      const std::int64_t sources = run_sizes.ranks(node, std::min(power, ring - e));
      for (const int destination : nodes.members(static_cast<int>((node - e + ring) % ring))) {
        links.emplace_back(relays.by_destination(node, destination), relays.by_destination(to, destination));
        Work &here = work[static_cast<std::size_t>(links.back().first)];
        here.between.block_moves += sources;
        ++here.far;
      }
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    for (const auto &[from, peer] : links) ++work[static_cast<std::size_t>(from)].between.messages;
  });
  return work;
}

Outline busiest_by_destinations(const Relays &relays, int node, int radix, const RunSizes &run_sizes) {
  const NodeIndex &nodes = relays.nodes();
  const std::int64_t size = nodes.size(node);
  const std::int64_t all_far = nodes.ranks() - size;
  const std::vector<Work> work = work_by_digits(relays, node, radix, run_sizes);
  const auto count = static_cast<std::int64_t>(work.size());
  Outline busiest;
  for (std::int64_t relay = 0; relay < count; ++relay) {
    const auto &[between, far] = work[static_cast<std::size_t>(relay)];
    // Of its own node's ranks a relay serves every count-th, beginning with itself.
    const std::int64_t served = (size - 1 - relay) / count;
    raise(busiest, {.messages = size - 1 + between.messages + served,
                    .block_moves = size - 1 + (all_far - far) + between.block_moves + served * all_far});
  }
  return busiest;
}

bool have_one_size(const NodeIndex &nodes) {
  return nodes.ranks() == nodes.nodes() * nodes.largest();
}

}  // namespace

Outline direct_node_outline(const Relays &relays) {
  std::map<int, RunSizes> run_sizes;  // by number of relays, which is the stride of what each relay serves
  Outline busiest;
  for (int node = 0; node < relays.nodes().nodes(); ++node) {
    const int stride = relays.relays(node);
    const RunSizes &runs = run_sizes.try_emplace(stride, relays.nodes(), stride).first->second;
    raise(busiest, busiest_by_nodes(relays, node, runs));
  }
  return busiest;
}

Outline digit_node_outline(const Relays &relays, int radix) {
  const RunSizes run_sizes(relays.nodes(), 1);
  const int different = have_one_size(relays.nodes()) ? 1 : relays.nodes().nodes();
  Outline busiest;
  for (int node = 0; node < different; ++node) {
    raise(busiest, busiest_by_destinations(relays, node, radix, run_sizes));
  }
  return busiest;
}

}  // namespace rondo
