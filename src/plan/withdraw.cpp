// Freeing a plan whose exchange has failed: messages of it may still be under way, here and on other ranks.

#include <fmt/format.h>

#include <new>
#include <optional>
#include <utility>

#include "plan/plan.hpp"

namespace rondo::internal {

void Plan::give_up() {
  wires().each([](auto &wire) { wire.give_up(); });
}

// Cancels what can be cancelled, and counts the messages that are still under way afterwards.
Unfinished Plan::withdraw() {
  give_up();  // MPI_Finalize ends an exchange without a fault
  Unfinished left;
  wires().each([&](auto &wire) {
    const Unfinished of_wire = wire.withdraw(step_);
    left.received += of_wire.received;
    left.sent += of_wire.sent;
  });
  return left;
}

void Plan::keep_for_late_messages() {
  keep_for_good(parts_);
}

void AnyPlan::free(std::unique_ptr<AnyPlan> plan) {
  if (plan->complete()) return;
  const Unfinished left = plan->withdraw();
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
    plan->keep_for_late_messages();
  } catch (const std::bad_alloc &) {
    [[maybe_unused]] AnyPlan *const kept = plan.release();  // kept as a whole
  }
  if (fault) throw(*std::move(fault)).with_values(left.received, left.sent);
}

}  // namespace rondo::internal
