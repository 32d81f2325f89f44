#include "api/prices.hpp"

#include <algorithm>
#include <memory>

#include "api/earlier.hpp"
#include "api/profile_of_ranks.hpp"
#include "exchange/fingerprint.hpp"
#include "model/choose.hpp"
#include "plan/progress.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

MessageCost measured(const Channel &channel, const Topology &topology) {
  MessageTimes slowest;
  const std::unique_ptr<MessageData> room = EarlierPlans::of(channel).take_room_to_measure();
  const auto fault = fault_of(
      [&] { slowest = measure_messages(channel.comm(), channel.rank(), channel.tag, topology.node_of, *room); });
  channel.duplicate->agreement().agree(slowest.nanoseconds, fault, drive_what_runs);
  return slowest.cost();
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
  features.halves_messages = known->asking > known->message;
}

void learn_costs(const Channel &channel, const Hints &hints, const MachinePrices::Place &place, Features &features) {
  if (!hints.profile.empty()) {
    const std::int64_t profile = fingerprint_of(hints.profile);
    EarlierPlans::Prices &kept = EarlierPlans::of(channel).prices();
    if (kept.profile != profile || kept.place != place)
      kept = {profile, place, prices_in_profile(channel, hints, place)};
    if (kept.found) {
      features.costs = *kept.found;
      features.halves_messages = place.nodes > 1 && features.costs.long_message > features.costs.message;
      return;
    }
  }
  if (place.nodes > 1) measure_between_nodes(channel, features);
}

}  // namespace

bool prepare_prices(const Channel &channel, const Hints &hints, const Kind &kind, const Topology &topology) {
  EarlierPlans &kept = EarlierPlans::of(channel);
  const bool several_nodes = count_nodes(topology) > 1;
  if (several_nodes) kept.make_room_to_measure();
  return (several_nodes || !hints.profile.empty()) && leaves_choice(hints.wish, kind, topology);
}

// On the datatype wire a message may be elements of the caller's, which cannot be cut.
void learn_prices(const Channel &channel, const Hints &hints, bool decide, Features &features) {
  const MachinePrices::Place place{channel.ranks(), count_nodes(features.situation.topology),
                                   static_cast<int>(features.turns)};
  const bool may_halve = hints.wish.algorithm != "native" && features.may_have_long_messages(place.nodes);
  if (channel.ranks() == 1 || !(decide || may_halve)) return;
  learn_costs(channel, hints, place, features);
  if (hints.wire == Wire::datatype) features.halves_messages = false;
}

}  // namespace rondo::internal
