#include "plan/plan.hpp"

namespace rondo::internal {

namespace {

template <class Kind>
const Kind *address_of(const std::optional<Kind> &kind) {
  return kind ? &*kind : nullptr;
}

}  // namespace

void StandIn::move_to(std::byte *buffer) {
  if (image) image->move_to(buffer);
  if (typed) typed->move_to(buffer);
  if (runs) runs->move_to(buffer);
}

BoundSpaces PlanParts::spaces() const {
  return {.send = send.image ? send.image->data() : buffers.send,
          .receive = receive.image ? receive.image->data() : buffers.receive,
          .scratch = scratch.data(),
          .staging = staging.data(),
          .typed_send = address_of(send.typed),
          .typed_receive = address_of(receive.typed),
          .run_send = address_of(send.runs),
          .run_receive = address_of(receive.runs)};
}

std::vector<BoundSchedule> PlanParts::bind_all() const {
  std::vector<BoundSchedule> bound;
  BoundSpaces places = spaces();
  if (!shared) {
    bound.push_back(bind(*schedule, places, channel, nullptr, 0, native.get()));
    return bound;
  }
  places.takes_from_scratch = shared->layout().reads_once();
  const int banks = shared->layout().banks();
  bound.reserve(banks);
  for (int bank = 0; bank < banks; ++bank) {
    places.scratch = shared->scratch(bank);
    bound.push_back(bind(*schedule, places, channel, shared.get(), bank));
  }
  return bound;
}

bool PlanParts::calls_mpi() const {
  if (receive.image && receive.image->calls_mpi()) return true;
  const BoundSchedule &bound = schedules.front();
  return !bound.typed_meanwhile.empty() || bound.wires.any([](const auto &wire) { return wire.calls_mpi(); });
}

bool PlanParts::needed_after_start() const {
  const BoundSchedule &bound = schedules.front();
  return bound.steps.size() > 1 ||
         bound.wires.any([](const auto &wire) { return wire.may_be_held_up() || wire.needed_after_begin(); });
}

bool PlanParts::sends_after_start() const {
  const BoundSchedule &bound = schedules.front();
  const bool held_up = bound.wires.any([](const auto &wire) { return wire.may_be_held_up(); });
  for (std::size_t step = held_up ? 0 : 1; step < bound.steps.size(); ++step) {
    if (bound.wires.any([&](const auto &wire) { return wire.begin_calls_mpi(step); })) return true;
  }
  return false;
}

Moved PlanParts::point_at(std::byte *send_buffer, std::byte *receive_buffer) {
  const BoundSpaces before = spaces();
  buffers.send = send_buffer;
  buffers.receive = receive_buffer;
  send.move_to(send_buffer);
  receive.move_to(receive_buffer);
  const BoundSpaces places = spaces();
  if (shared) shared->move_to(places.send, places.receive);
  return {places.send - before.send, places.receive - before.receive};
}

}  // namespace rondo::internal
