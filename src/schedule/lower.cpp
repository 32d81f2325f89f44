#include "schedule/lower.hpp"

#include <algorithm>

#include "schedule/stage.hpp"

namespace rondo::internal {

namespace {

bool follows(const Slice &before, const Slice &after) {
  return before.space == after.space && before.end() == after.offset;
}

// Builds the transfers of one direction.
class Lowering {
 public:
  Lowering(Schedule &schedule, std::vector<Transfer> &transfers) : schedule_(schedule), transfers_(transfers) {}

  // With `may_rest` the message is one that rests at its sender if it only has blocks that the sender passes on.
  void begin(int peer, Wire wire, bool may_rest) {
    transfers_.push_back({.peer = peer,
                          .first = schedule_.slices.size(),
                          .wire = wire,
                          .rests_at_sender = may_rest && wire == Wire::shared});
  }
  void carry(const Slice &slice, bool passed_on) {
    if (slice.length == 0) return;
    Transfer &transfer = transfers_.back();
    transfer.rests_at_sender = transfer.rests_at_sender && passed_on;
    transfer.bytes = checked_add(transfer.bytes, slice.length, "a message");
    if (transfer.count > 0 && follows(schedule_.slices.back(), slice)) {
      schedule_.slices.back().length += slice.length;
      return;
    }
    schedule_.slices.push_back(slice);
    ++transfer.count;
  }
  // The message may be written once this rank has come to that step.
  void not_before(int step) {
    Transfer &transfer = transfers_.back();
    if (transfer.shared()) transfer.free_from = std::max(transfer.free_from, step);
  }
  void end() {
    if (transfers_.back().count == 0) transfers_.pop_back();
  }

 private:
  Schedule &schedule_;
  std::vector<Transfer> &transfers_;
};

Place place_of_sent(const LayoutInput &p, const LayoutResult &places, std::size_t entry) {
  const std::size_t arrival = p.forwarding.arrival[entry];
  if (arrival != ForwardingTable::own) return places.arrived[arrival];
  return places.own[p.route.sends.blocks()[entry].part];
}

Wire wire_to(const LayoutInput &p, int peer) {
  return p.shares_memory_with(peer) ? Wire::shared : p.wire;
}

// Whether what the senders of the step's messages pass on lies in their shared scratch until the next start.
bool passed_on_at_last(const LayoutInput &p, const LayoutResult &places, int step) {
  return places.steps_disjoint && places.writers_reach_scratch && step + 1 == p.route.steps() &&
         p.exchange.kind->blocks == Numbered::by_destination;
}

void lower_sends(const LayoutInput &p, const LayoutResult &places, int step, Schedule &schedule) {
  Lowering lowering(schedule, schedule.sends);
  const bool may_rest = passed_on_at_last(p, places, step);
  for (const Message &message : p.route.sends.messages(step)) {
    lowering.begin(message.peer, wire_to(p, message.peer), may_rest);
    for (std::size_t e = message.first; e < message.first + message.count; ++e) {
      const std::int64_t bytes = places.padded_to > 0 ? places.padded_to : p.sizes.sent[e];
      const Place place = place_of_sent(p, places, e);
      lowering.carry({place.offset, bytes, place.space}, p.route.sends.blocks()[e].source != p.route.rank);
      schedule.block_moves += bytes > 0 ? 1 : 0;
    }
    lowering.end();
  }
}

void lower_receives(const LayoutInput &p, const LayoutResult &places, int step, Schedule &schedule) {
  Lowering lowering(schedule, schedule.receives);
  const bool may_rest = passed_on_at_last(p, places, step);
  for (const Message &message : p.route.receives.messages(step)) {
    lowering.begin(message.peer, wire_to(p, message.peer), may_rest);
    for (std::size_t e = message.first; e < message.first + message.count; ++e) {
      const std::int64_t bytes = places.padded_to > 0 ? places.padded_to : p.sizes.received[e];
      lowering.carry({places.arrived[e].offset, bytes, places.arrived[e].space},
                     p.route.receives.blocks()[e].source != message.peer);
      if (!places.free_from.empty() && bytes > 0) lowering.not_before(places.free_from[e]);
    }
    lowering.end();
  }
}

std::vector<Copy> joined(const std::vector<Copy> &copies) {
  std::vector<Copy> result;
  for (const Copy &copy : copies) {
    if (!result.empty() && follows(result.back().from, copy.from) && follows(result.back().target(), copy.target())) {
      result.back().from.length += copy.from.length;
    } else {
      result.push_back(copy);
    }
  }
  return result;
}

}  // namespace

Schedule lower(Layout layout, const LayoutInput &input) {
  const LayoutResult places = lay_out(layout, input);
  Schedule schedule;
  schedule.rank = input.route.rank;
  schedule.ranks = input.route.ranks;
  schedule.scratch_bytes = places.scratch_bytes;
  schedule.rests_in_receive = places.rests_in_receive;
  schedule.writers_reach_scratch = places.writers_reach_scratch;
  schedule.steps_disjoint = places.steps_disjoint;
  schedule.prologue = joined(places.prologue);
  schedule.meanwhile = joined(places.meanwhile);
  schedule.epilogue = joined(places.epilogue);
  const Route &route = input.route;
  schedule.steps.reserve(route.steps());
  schedule.sends.reserve(route.sends.messages().size());
  schedule.receives.reserve(route.receives.messages().size());
  if (one_hop(layout)) schedule.slices.reserve(route.sends.blocks().size() + route.receives.blocks().size());
  for (int step = 0; step < route.steps(); ++step) {
    Step here{.first_send = schedule.sends.size(), .first_receive = schedule.receives.size()};
    lower_sends(input, places, step, schedule);
    lower_receives(input, places, step, schedule);
    here.sends = schedule.sends.size() - here.first_send;
    here.receives = schedule.receives.size() - here.first_receive;
    schedule.steps.push_back(here);
  }
  halve_long_messages(schedule, input.halving);
  type_receives(schedule, input.typed_receives);
  stage(schedule);
  return schedule;
}

}  // namespace rondo::internal
