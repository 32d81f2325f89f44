#include "plan/plan.hpp"

namespace rondo::internal {

BoundSpaces PlanParts::spaces() const {
  return {.send = send_image ? send_image->data() : buffers.send,
          .receive = receive_image ? receive_image->data() : buffers.receive,
          .scratch = scratch.data(),
          .staging = staging.data(),
          .typed_send = typed_send ? &*typed_send : nullptr,
          .typed_receive = typed_receive ? &*typed_receive : nullptr,
          .run_send = run_send ? &*run_send : nullptr,
          .run_receive = run_receive ? &*run_receive : nullptr};
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
  if (receive_image && receive_image->calls_mpi()) return true;
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

Moved PlanParts::point_at(std::byte *send, std::byte *receive) {
  const BoundSpaces before = spaces();
  buffers.send = send;
  buffers.receive = receive;
  if (send_image) send_image->move_to(send);
  if (receive_image) receive_image->move_to(receive);
  if (typed_send) typed_send->move_to(send);
  if (typed_receive) typed_receive->move_to(receive);
  if (run_send) run_send->move_to(send);
  if (run_receive) run_receive->move_to(receive);
  const BoundSpaces places = spaces();
  if (shared) shared->move_to(places.send, places.receive);
  return {places.send - before.send, places.receive - before.receive};
}

}  // namespace rondo::internal
