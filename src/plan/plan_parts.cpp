#include <algorithm>

#include "plan/plan.hpp"

namespace rondo::internal {

BoundSpaces PlanParts::spaces() const {
  return {.send = send_image ? send_image->data() : buffers.send,
          .receive = receive_image ? receive_image->data() : buffers.receive,
          .scratch = scratch.data(),
          .staging = staging.data(),
          .typed_send = typed_send ? &*typed_send : nullptr,
          .typed_receive = typed_receive ? &*typed_receive : nullptr};
}

std::vector<BoundSchedule> PlanParts::bind_all() const {
  std::vector<BoundSchedule> bound;
  BoundSpaces places = spaces();
  if (!shared) {
    bound.push_back(bind(schedule, places, channel));
    return bound;
  }
  for (int half = 0; half < 2; ++half) {
    places.scratch = shared->scratch(half);
    bound.push_back(bind(schedule, places, channel, shared.get(), half));
  }
  return bound;
}

bool PlanParts::calls_mpi() const {
  const auto has_mpi = [](const BoundSchedule &bound) {
    return !bound.requests.empty() || !bound.typed_copies.empty();
  };
  return native || (receive_image && receive_image->calls_mpi()) ||
         std::any_of(schedules.begin(), schedules.end(), has_mpi);
}

bool PlanParts::needed_after_start() const {
  const auto takes_from_others = [](const Pull &pull) { return pull.taken.flag != nullptr; };
  const BoundSchedule &bound = schedules.front();
  return bound.steps_with_messages > 1 || !gates.empty() ||
         std::any_of(bound.pulls.begin(), bound.pulls.end(), takes_from_others);
}

bool PlanParts::sends_after_start() const {
  const BoundSchedule &bound = schedules.front();
  if (native) return false;
  if (!gates.empty() && !bound.requests_need_no_copies && bound.steps.front().requests.count > 0) return true;
  return std::any_of(bound.steps.begin() + 1, bound.steps.end(),
                     [](const BoundStep &step) { return step.requests.count > 0; });
}

void PlanParts::point_at(std::byte *send, std::byte *receive) {
  buffers.send = send;
  buffers.receive = receive;
  if (send_image) send_image->move_to(send);
  if (receive_image) receive_image->move_to(receive);
  if (typed_send) typed_send->move_to(send);
  if (typed_receive) typed_receive->move_to(receive);
  const BoundSpaces places = spaces();
  if (shared) shared->move_to(places.send, places.receive);
}

}  // namespace rondo::internal
