// Freeing a plan whose exchange has failed: messages of it may still be under way, here and on other ranks.

#include <fmt/format.h>

#include <atomic>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "plan/plan.hpp"
#include "wire/late_messages.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

int count_pending(std::span<const MPI_Request> requests) {
  int pending = 0;
  for (const MPI_Request request : requests) pending += is_pending(request) ? 1 : 0;
  return pending;
}

// Until the process ends: buffers that MPI may still write to, memory that other ranks may still read, and the
// communicator, whose number MPI would give to another one, with the late messages.
void keep(PlanParts &&parts) {
  struct Kept {
    PlanParts parts;
    Kept *next;
  };
  static std::atomic<Kept *> first{nullptr};
  auto *kept = new Kept{std::move(parts), first.load()};
  while (!first.compare_exchange_weak(kept->next, kept)) {
  }
}

}  // namespace

// What is still under way afterwards.
Plan::Messages Plan::withdraw() {
  if (parts_.shared) parts_.shared->withdraw();
  const BoundStep &step = bound_->steps[step_];
  const bool begun = !at_gate_ || bound_->requests_need_no_copies;
  if (!begun || requests_complete_ || !mpi_is_up()) return {};
  const ErrorsReturned returned;
  const std::span requests = std::span(bound_->requests).subspan(step.requests.first, step.requests.count);
  const std::span receives = requests.first(step.receives);
  if (!parts_.native) cancel_pending(receives);  // a collective cannot be cancelled
  if (complete_in_time(requests)) return {};
  return {count_pending(receives), count_pending(requests.subspan(step.receives))};
}

void Plan::free(std::unique_ptr<Plan> plan) {
  if (plan->complete()) return;
  const Messages left = plan->withdraw();
  std::optional<Error> fault;
  if (left.received + left.sent > 0) {
    fault = Error::of(Fault::stalled, [&] {
      return fmt::format(
          "{}: freed while {} messages to this rank and {} from it are under way; its buffers must live "
          "on until MPI_Finalize",
          plan->name(), left.received, left.sent);
    });
  }
  try {
    keep(std::move(plan->parts_));
  } catch (const std::bad_alloc &) {
    [[maybe_unused]] Plan *const kept = plan.release();  // whole
  }
  if (fault) throw(*std::move(fault)).with_values(left.received, left.sent);
}

}  // namespace rondo::internal
