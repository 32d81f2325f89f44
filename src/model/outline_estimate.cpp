#include "model/outline_estimate.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

double all_blocks(const Features &features, double block) {
  return features.situation.topology.ranks * block;
}

// Bytes copied inside a rank: gathering and scattering of messages of several blocks, rotations, padding.
double copied(Layout layout, const Features &features, double moved, double block) {
  const double rows = all_blocks(features, block);
  switch (layout) {
    case Layout::native:
    case Layout::direct: return 0;
    case Layout::padded_direct: return 2 * rows;
    case Layout::rotated: return 2 * moved + 3 * rows;
    case Layout::rotated_first: return 2 * moved + rows;
    case Layout::padded: return 2 * moved + 2 * rows;
    case Layout::gathered: return 2 * moved + rows;
    case Layout::compact:
    case Layout::slots:
    case Layout::unrotated:
    case Layout::alternating:
    case Layout::alternating_slots: break;
  }
  return 2 * moved;
}

bool one_message_a_block(Layout layout) {
  return layout == Layout::direct || layout == Layout::native;
}

// What a rank waits for where this is done by all ranks of its node: the work of the busiest, or, where ranks take
// turns on the cores, that of as many as have the same core.
double in_turn(const Load &load, const Features &features) {
  return std::max(load.most, load.mean * static_cast<double>(features.turns));
}

// A message of one block is sent from where that lies.
bool far_blocks_go_alone(const Crossing &crossing) {
  return crossing.far_moves.most <= crossing.far.most;
}

// Whether messages between nodes are longer than `times` the longest that MPI sends at once, in the mean.
bool are_longer_than(double times, const Crossing &crossing, double block) {
  return block * crossing.far_moves.most > times * static_cast<double>(longest_at_once) * crossing.far.most;
}

// The blocks that go between nodes until the last has gone: the ranks of a node share its network. Long messages keep a
// rank busy. Where they are those of few ranks, some of these have the same core, and are waited for in turn.
double through_network(const Crossing &crossing, const Features &features, double block) {
  const Load &load = crossing.far_moves;
  const auto turns = static_cast<double>(features.turns);
  const bool long_ones = are_longer_than(1, crossing, block);
  const double of_core = long_ones ? load.most + load.mean * (turns - 1) : in_turn(load, features);
  return std::max(of_core, load.mean * crossing.ranks);
}

// Whether they go as two. Those of the MPI library's own call do not.
bool are_halved(Layout layout, const Features &features, const Crossing &crossing, double block) {
  return layout != Layout::native && features.halves_messages && are_longer_than(1, crossing, block) &&
         !are_longer_than(2, crossing, block);
}

// Seconds in which a rank, or those that have the same core, wait for answers before they may send what is long. Other
// messages move meanwhile.
double asking(Layout layout, const Features &features, const Crossing &crossing, double sent, double block) {
  const bool asks = are_longer_than(1, crossing, block) && !are_halved(layout, features, crossing, block);
  return asks ? sent * in_turn(crossing.far, features) * features.costs.long_message : 0;
}

// Inside a node a message is a flag in shared memory, where the ranks have that. Of the messages that are not empty,
// `sent` is the share of all, `far_each` how many go for one between nodes.
double synchronisation(Layout layout, const Features &features, const Estimate &given, const Crossing &crossing,
                       double sent, int far_each) {
  const CostModel &model = features.costs;
  const bool shared = features.shares_memory && layout != Layout::native;
  const double near_steps = given.steps - crossing.far_steps;
  const double switches = features.turns > 1 ? static_cast<double>(features.turns) * model.turn : 0;
  const double near = sent * in_turn(crossing.near, features);
  const double far = far_each * sent * in_turn(crossing.far, features);
  return given.steps * switches + near_steps * (shared ? model.shared_step : model.step) +
         crossing.far_steps * model.step + near * (shared ? model.shared_message : model.message) + far * model.message;
}

// Where it is not known which messages go between nodes, only those are taken to stay inside that every rank sends
// straight to each other.
double synchronisation(Layout layout, const Features &features, int nodes, const Estimate &given) {
  const CostModel &model = features.costs;
  const Topology &topology = features.situation.topology;
  const bool shared = features.shares_memory && layout != Layout::native;
  if (!shared) return synchronisation(given, false, features.turns, model);
  if (nodes <= 1) return synchronisation(given, true, features.turns, model);
  const int neighbors = topology.ranks / nodes - 1;
  const bool knows_inside = layout == Layout::direct && topology.ranks > 1;
  const double inside = knows_inside ? static_cast<double>(neighbors) / (topology.ranks - 1) : 0;
  const double by_messages = synchronisation(given, false, features.turns, model);
  return by_messages - inside * given.messages * (model.message - model.shared_message);
}

// Of those that are not empty, in the mean.
double full_block(const Features &features) {
  return static_cast<double>(features.most_sent) / static_cast<double>(std::max<std::int64_t>(1, features.most_peers));
}

// To end a step and to wait for turns, by messages of MPI's.
double waiting_for_a_step(const Features &features) {
  Estimate one;
  one.steps = 1;
  return synchronisation(one, false, features.turns, features.costs);
}

// Of blocks that are empty nothing is sent: those that are not take their share of what is beyond an empty call, but
// for the wait for others, which is the same for few.
Estimate measured_native(Estimate counted, const Features &features, const NativeTimes &times) {
  const int others = std::max(1, features.situation.topology.ranks - 1);
  const double share = std::min(1.0, static_cast<double>(features.most_peers) / others);
  const double empty = times.of(0);
  const double beyond = std::max(0.0, times.of(full_block(features)) - empty);
  const double waiting = features.most_peers > 0 ? std::min(beyond, waiting_for_a_step(features)) : 0;
  counted.synchronising = empty + waiting;
  counted.moving = (beyond - waiting) * share;
  counted.copying = 0;
  counted.add_up();
  return counted;
}

// Where no rank both sends and receives, each does half of what it does else, and where ranks take turns on a core only
// one of them has much to do. But inside a node they wait for their turns as ever, if not in each start: a rank that
// sends is ahead by as many as there are banks, or as the MPI library has buffers for. How much the latter saves is
// known where the library's own call has been measured both ways.
void halve_for_one_way(Estimate &estimate, Layout layout, const Features &features, int nodes) {
  const NativeTimes &one_way = features.costs.native_one_way;
  const NativeTimes &both_ways = features.costs.native;
  if (layout == Layout::direct && !features.shares_memory && one_way.known() && both_ways.known()) {
    const double saved = one_way.of(full_block(features)) / both_ways.of(full_block(features));
    estimate.synchronising *= saved;
    estimate.moving *= saved;
    estimate.copying *= saved;
    return;
  }
  const double share = 0.5 / static_cast<double>(features.turns);
  estimate.moving *= share;
  estimate.copying *= share;
  const bool take_turns = features.turns > 1 && nodes <= 1;
  const int ahead = layout == Layout::native ? features.banks : features.banks_of(layout);
  estimate.synchronising *= take_turns ? 2.0 / ahead : share;
}

}  // namespace

Estimate estimate_by_outline(const Algorithm &algorithm, const Outline &outline, const Features &features, int nodes,
                             const std::optional<Crossing> &crossing) {
  const CostModel &model = features.costs;
  const Layout layout = algorithm.layout;
  const double block = pads(layout) ? static_cast<double>(features.situation.largest_block) : features.mean_block();
  Estimate result;
  result.steps = static_cast<double>(outline.steps);
  result.messages = static_cast<double>(outline.messages);
  // Where each block is a message of its own, the empty ones are not sent.
  if (one_message_a_block(layout)) {
    result.messages = static_cast<double>(std::min(outline.messages, features.most_peers));
  }
  result.bytes = static_cast<double>(outline.block_moves) * block;
  result.copied_bytes = copied(layout, features, result.bytes, block);
  const NativeTimes &native = features.one_way ? model.native_one_way : model.native;
  if (layout == Layout::native && native.known()) return measured_native(result, features, native);
  const double near_byte = features.shares_memory && layout != Layout::native ? model.shared_byte : model.byte;
  if (crossing) {
    const double sent = outline.messages > 0 ? result.messages / static_cast<double>(outline.messages) : 0;
    const double near = in_turn(crossing->near_moves, features) * block;
    const double far = in_turn(crossing->far_moves, features) * block;
    const double staged = far_blocks_go_alone(*crossing) ? near : near + far;
    const double moving_far = through_network(*crossing, features, block) * block * model.far_byte;
    const int far_each = are_halved(layout, features, *crossing, block) ? 2 : 1;
    result.synchronising = synchronisation(layout, features, result, *crossing, sent, far_each);
    result.moving = near * near_byte + std::max(moving_far, asking(layout, features, *crossing, sent, block));
    result.copying = copied(layout, features, staged, block) * model.copied_byte;
  } else {
    const int sharing = nodes > 1 ? (features.situation.topology.ranks + nodes - 1) / nodes : 1;
    result.synchronising = synchronisation(layout, features, nodes, result);
    result.moving = result.bytes * (nodes > 1 ? sharing * model.far_byte : near_byte);
    result.copying = result.copied_bytes * model.copied_byte;
  }
  if (layout == Layout::native) result.synchronising += model.native_overhead;
  if (features.one_way) halve_for_one_way(result, layout, features, nodes);
  result.add_up();
  return result;
}

}  // namespace rondo::internal
