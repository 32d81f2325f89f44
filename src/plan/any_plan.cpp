#include "plan/any_plan.hpp"

namespace rondo::internal {

// Does nothing where another thread holds the plan: that thread does what this one would do.
bool AnyPlan::look() {
  const Hold hold(*this, std::try_to_lock);
  if (!hold) return false;
  throw_stored_fault();
  return or_end_running([this] { return advance(); });
}

bool AnyPlan::test() {
  const bool complete = look();
  if (others_run()) drive_others();
  if (complete) return true;
  if ((++vain_tests_ & 15) == 0) let_mpi_progress();
  return false;
}

void AnyPlan::wait() {
  const bool only_mpi = waits_in_mpi_alone();
  for (Waiting waiting(policy_.patience);;) {
    bool complete = false;
    {
      const Hold hold(*this);
      throw_stored_fault();
      take_from_thread();
      if (only_mpi && !others_run()) return or_end_running([this] { wait_in_mpi(); });
      Looks looks = others_run() ? Looks() : waiting.looks();
      complete = or_end_running([&] { return advance_looking(looks); });
      waiting.count(looks);
    }
    // At least once in each wait: a program may only ever wait for exchanges that are complete already, and its other
    // plans would never move.
    if (others_run()) drive_others();
    if (complete) return;
    pause(waiting);
  }
}

void AnyPlan::look_around(Waiting &waiting) {
  if (waiting.spinning() || !waiting.moment()) return;
  let_mpi_progress();
  if (policy_.stall_timeout.count() == 0) return;
  if (!last_look_) look_for_first_time();
  if (waiting.elapsed() > policy_.stall_timeout) look_for_stall(waiting);
}

void AnyPlan::pause(Waiting &waiting) {
  look_around(waiting);
  if (!waiting.pause()) sleep();
}

// Sleeps for a millisecond at most, so that the program's own messages keep moving, and for 50 microseconds where
// something may come of which no bell tells.
void AnyPlan::sleep() {
  using std::chrono::microseconds;
  const auto ready = [&] {
    const Hold hold(*this);
    throw_stored_fault();
    return or_end_running([this] { return advance(); });
  };
  SleepingPlace place;
  {
    const Hold hold(*this);  // another thread may be driving this plan
    if (complete()) return;
    // Nobody rings for other plans, or for the network.
    if (!others_run()) place = sleeping_place();
  }
  if (place.bell != nullptr) return place.bell->sleep(microseconds(place.must_look ? 50 : 1000), ready);
  Bell alone;
  alone.sleep(microseconds(50), [] { return false; });
}

}  // namespace rondo::internal
