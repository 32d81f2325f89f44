#include "api/message_costs.hpp"

#include <algorithm>
#include <array>

#include "api/earlier.hpp"
#include "plan/progress.hpp"
#include "route/nodes.hpp"

namespace rondo::internal {

namespace {

// Of the ranks that have measured, the slowest counts.
MessageCost measured(const Channel &channel, const Topology &topology) {
  std::array<std::int64_t, 3> slowest{};
  const auto fault = fault_of([&] {
    const MessageCost own = measure_messages(channel.comm(), channel.rank(), channel.tag, topology.node_of);
    slowest = {own.step, own.message, own.kibibyte};
  });
  channel.duplicate->agreement().agree(slowest, fault, drive_what_runs);
  return {slowest[0], slowest[1], slowest[2]};
}

}  // namespace

void learn_message_costs(const Channel &channel, const Wish &wish, Features &features) {
  const Topology &topology = features.situation.topology;
  if (!wish.algorithm.empty() || count_nodes(topology) <= 1) return;
  std::optional<MessageCost> &known = EarlierPlans::of(channel).message_cost();
  if (!known) known = measured(channel, topology);
  constexpr double nano = 1e-9;
  features.costs.step = static_cast<double>(known->step) * nano;
  features.costs.message = static_cast<double>(known->message) * nano;
  features.costs.far_byte = std::max(features.costs.byte, static_cast<double>(known->kibibyte) * nano / 1024);
}

}  // namespace rondo::internal
