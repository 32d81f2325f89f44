#include "api/prices.hpp"

#include <algorithm>
#include <array>

#include "api/earlier.hpp"
#include "api/profile_of_ranks.hpp"
#include "exchange/fingerprint.hpp"
#include "model/choose.hpp"
#include "plan/progress.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// Of the ranks that have measured, the slowest counts.
MessageCost measured(const Channel &channel, const Topology &topology) {
  std::array<std::int64_t, 4> slowest{};
  const auto fault = fault_of([&] {
    const MessageCost own = measure_messages(channel.comm(), channel.rank(), channel.tag, topology.node_of);
    slowest = {own.step, own.message, own.kibibyte, own.asking};
  });
  channel.duplicate->agreement().agree(slowest, fault, drive_what_runs);
  return {slowest[0], slowest[1], slowest[2], slowest[3]};
}

void measure_between_nodes(const Channel &channel, Features &features) {
  const Topology &topology = features.situation.topology;
  std::optional<MessageCost> &known = EarlierPlans::of(channel).message_cost();
  if (!known) known = measured(channel, topology);
  constexpr double nano = 1e-9;
  features.costs.step = static_cast<double>(known->step) * nano;
  features.costs.message = static_cast<double>(known->message) * nano;
  features.costs.far_byte = std::max(features.costs.byte, static_cast<double>(known->kibibyte) * nano / 1024);
  features.costs.long_message = std::max(features.costs.long_message, static_cast<double>(known->asking) * nano);
}

// Whether a message between nodes may be longer than MPI sends at once: it carries no more than all ranks of a node
// send.
bool may_be_long(const Features &features, int nodes) {
  const int fullest = nodes > 1 ? NodeIndex(features.situation.topology).largest() : 0;
  return nodes > 1 && features.most_sent > longest_at_once / fullest;
}

// Whether a plan depends on what these acts cost: the choice does, where the hints leave one, and whether long messages
// are halved.
bool matter(const Wish &wish, const Features &features, int nodes) {
  const Algorithm *const named = find_algorithm(wish.algorithm, *features.kind);
  if (named != nullptr && named->layout == Layout::native) return false;
  return leaves_choice(wish, *features.kind, features.situation.topology) || may_be_long(features, nodes);
}

void learn_costs(const Channel &channel, const Hints &hints, const MachinePrices::Place &place, Features &features) {
  if (!hints.profile.empty()) {
    const std::int64_t profile = fingerprint_of(hints.profile);
    EarlierPlans::Prices &kept = EarlierPlans::of(channel).prices();
    if (kept.profile != profile || kept.place != place)
      kept = {profile, place, prices_in_profile(channel, hints, place)};
    if (kept.found) {
      features.costs = *kept.found;
      return;
    }
  }
  if (place.nodes > 1) measure_between_nodes(channel, features);
}

}  // namespace

// On the datatype wire a message may be elements of the caller's, which cannot be cut.
void learn_prices(const Channel &channel, const Hints &hints, Features &features) {
  const MachinePrices::Place place{channel.ranks(), count_nodes(features.situation.topology),
                                   static_cast<int>(features.turns)};
  if (channel.ranks() == 1 || !matter(hints.wish, features, place.nodes)) return;
  learn_costs(channel, hints, place, features);
  features.halves_messages =
      place.nodes > 1 && hints.wire != Wire::datatype && features.costs.long_message > features.costs.message;
}

}  // namespace rondo::internal
