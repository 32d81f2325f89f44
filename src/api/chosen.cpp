#include "api/chosen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "api/earlier.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

std::int64_t mean_block(const Exchange &exchange) {
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;
  for (const Extent &extent : exchange.send) {
    bytes += extent.length;
    blocks += extent.length > 0 ? 1 : 0;
  }
  return blocks == 0 ? 0 : bytes / blocks;
}

// What the caller asks for. If any rank has a buffer in memory of a GPU, all ranks have `native`, as only the MPI
// library can read and write such memory.
Wish wish_of(const Inputs &inputs, const Agreed &agreed) {
  Wish wish = inputs.hints.wish;
  if (!agreed.on_device) return wish;
  if (!wish.algorithm.empty() && wish.algorithm != "native") {
    throw Error(Fault::buffer,
                fmt::format("a buffer is memory of a GPU, which native exchanges, but not {}", wish.algorithm));
  }
  wish.algorithm = "native";
  return wish;
}

// By rank: whether this rank shares memory with it. Empty where it shares none, and where shared memory is not wanted.
std::vector<char> sharers(const Channel &channel, const Inputs &inputs, const Topology &topology) {
  if (inputs.hints.messages_only() || !channel.duplicate->segment().works()) return {};
  const std::vector<int> &node_of = topology.node_of;
  std::vector<char> shares(channel.ranks(), 0);
  for (const int rank : channel.duplicate->node().members()) {
    const bool same_node = node_of[rank] == node_of[channel.rank()];
    shares[rank] = same_node && rank != channel.rank() ? 1 : 0;
  }
  return shares;
}

// What carries messages that do not go through shared memory. Datatypes are faster than packing for messages of few
// pieces of medium length inside a node without such memory. For shorter pieces they are slower, for longer ones the
// two are alike, and so they are between nodes (docs/performance.md has the measurements). Messages that may be halved
// are bytes on all ranks: a rank cannot know what another one takes.
Wire message_wire(const Inputs &inputs, const Chosen &chosen) {
  constexpr std::int64_t kibibyte = 1024;
  if (inputs.hints.messages_only()) return *inputs.hints.wire;
  if (chosen.halves_messages) return Wire::packed;
  const std::int64_t block = mean_block(inputs.exchange);
  const auto within = [&](std::int64_t least, std::int64_t most) { return block >= least && block <= most; };
  if (!inputs.images_send && !inputs.images_receive) {
    const bool several_pieces = !one_hop(chosen.layout()) && !chosen.shares_any();
    return several_pieces && within(2 * kibibyte, 16 * kibibyte) ? Wire::datatype : Wire::packed;
  }
  // Shared memory takes bytes only.
  const Arguments &given = inputs.arguments;
  const bool long_runs = (!inputs.images_send || mean_run(given.send) >= kibibyte / 2) &&
                         (!inputs.images_receive || mean_run(given.receive) >= kibibyte / 2);
  return !chosen.shares_any() && long_runs && within(16 * kibibyte, 128 * kibibyte) ? Wire::datatype : Wire::packed;
}

// Whether the plan may have messages that are halved: all ranks then halve what is long between nodes, and all others
// do not.
bool may_halve(const Agreed &agreed, Layout layout) {
  const Features &features = agreed.features;
  if (!features.halves_messages) return false;
  return one_hop(layout) ? features.situation.largest_block > longest_at_once
                         : features.may_have_long_messages(count_nodes(agreed.topology()));
}

// Where every message is one block, none has several pieces.
bool may_type_receives(const Inputs &inputs, const Agreed &agreed, const Chosen &chosen) {
  return !one_hop(chosen.layout()) && chosen.wire == Wire::packed && !inputs.hints.messages_only() &&
         count_nodes(agreed.topology()) > 1;
}

}  // namespace

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

bool Chosen::shares_any() const {
  return std::any_of(shares.begin(), shares.end(), [](char with) { return with != 0; });
}

namespace {

// The one that has been measured as the fastest for such a case; nothing where none has been, or where that one does
// not serve now.
std::optional<Chosen> measured_choice(const Inputs &inputs, const Agreed &agreed, EarlierPlans &kept) {
  if (kept.measured().empty() || inputs.for_trial) return std::nullopt;
  const auto found = kept.measured().find(case_name(agreed, inputs));
  if (found == kept.measured().end()) return std::nullopt;
  for (Choice &choice : candidates(agreed.features, inputs.hints.wish, kept.outlines_for(inputs))) {
    if (found->second.is(choice)) return Chosen{.choice = std::move(choice), .measured = found->second.seconds};
  }
  return std::nullopt;
}

Chosen chosen_by_cost(const Inputs &inputs, const Agreed &agreed, EarlierPlans &kept) {
  const Wish wish = wish_of(inputs, agreed);
  if (agreed.on_device) return {.choice = choose(agreed.features, wish)};
  if (auto measured = measured_choice(inputs, agreed, kept)) return *std::move(measured);
  return {.choice = choose(agreed.features, wish, kept.outlines_for(inputs))};
}

}  // namespace

Chosen choose_for(const Channel &channel, const Inputs &inputs, const Agreed &agreed) {
  Chosen chosen = chosen_by_cost(inputs, agreed, EarlierPlans::of(channel));
  if (chosen.native()) return chosen;
  chosen.shares = sharers(channel, inputs, agreed.topology());
  chosen.halves_messages = may_halve(agreed, chosen.layout());
  chosen.wire = message_wire(inputs, chosen);
  chosen.types_receives = may_type_receives(inputs, agreed, chosen);
  return chosen;
}

}  // namespace rondo::internal
