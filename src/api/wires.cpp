#include "api/wires.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

// As long as no rank sends or receives more than this, large messages are pushed, too: their room stays in the caches,
// and attaching costs more than the second copy (docs/performance.md). Beyond, they are attached, and need no room.
constexpr std::int64_t most_pushed = 3 << 19;

std::int64_t mean_block(const Exchange &exchange) {
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;
  for (const Extent &extent : exchange.send) {
    bytes += extent.length;
    blocks += extent.length > 0 ? 1 : 0;
  }
  return blocks == 0 ? 0 : bytes / blocks;
}

// Of the elements with gaps; 0 where it is not known.
std::int64_t mean_run(const Side &side) {
  std::int64_t bytes = 0;
  std::int64_t runs = 0;
  for (const SideType &used : side.types) {
    if (used.shape.dense) continue;
    if (!used.runs) return 0;
    bytes += used.shape.size;
    runs += static_cast<std::int64_t>(used.runs->size());
  }
  return runs == 0 ? 0 : bytes / runs;
}

}  // namespace

std::vector<char> sharers(const Channel &channel, const Local &local, const Topology &topology) {
  if (local.hints.messages_only() || !channel.duplicate->segment().works()) return {};
  const std::vector<int> &node_of = topology.node_of;
  std::vector<char> shares(static_cast<std::size_t>(channel.ranks()), 0);
  for (const int rank : channel.duplicate->node().members()) {
    const bool same_node = node_of[static_cast<std::size_t>(rank)] == node_of[static_cast<std::size_t>(channel.rank())];
    shares[static_cast<std::size_t>(rank)] = same_node && rank != channel.rank() ? 1 : 0;
  }
  return shares;
}

SharedGroup group_of(const Planning &p) {
  SharedGroup group;
  for (int rank = 0; rank < p.channel.ranks(); ++rank) {
    if (rank == p.channel.rank() || p.shares[static_cast<std::size_t>(rank)] != 0) group.members.push_back(rank);
  }
  // A start that pushes leaves the progress thread half of the work.
  const bool attaches =
      p.local.hints.progress_thread || std::max(p.agreed.features.most_sent, p.agreed.most_received) > most_pushed;
  group.pull_attached = attaches && p.channel.duplicate->segment().can_attach();
  group.pull_mapped = p.agreed.send_mapped && (one_hop(p.choice.algorithm->layout) || p.agreed.receive_mapped);
  return group;
}

Wire message_wire(const Planning &p) {
  constexpr std::int64_t kibibyte = 1024;
  if (p.local.hints.wire == WireHint::packed) return Wire::message;
  if (p.local.hints.wire == WireHint::datatype) return Wire::datatype;
  const std::int64_t block = mean_block(p.local.exchange);
  const auto within = [&](std::int64_t least, std::int64_t most) { return block >= least && block <= most; };
  if (!p.local.images_send && !p.local.images_receive) {
    const bool several_pieces = !one_hop(p.choice.algorithm->layout);
    return several_pieces && within(2 * kibibyte, 16 * kibibyte) ? Wire::datatype : Wire::message;
  }
  // Shared memory takes bytes only.
  const Arguments &given = p.local.arguments;
  const bool long_runs = (!p.local.images_send || mean_run(given.send) >= kibibyte / 2) &&
                         (!p.local.images_receive || mean_run(given.receive) >= kibibyte / 2);
  return !p.shares_any() && long_runs && within(16 * kibibyte, 128 * kibibyte) ? Wire::datatype : Wire::message;
}

}  // namespace rondo::internal
