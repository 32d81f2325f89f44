#include "plan/progress.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "plan/progress_thread.hpp"
#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// The plans of this process that need driving. The list changes at init and free only; a start touches the count.
struct Listed {
  std::mutex mutex;
  std::vector<Driven *> plans;
};

// Never destroyed: a request of static life may be freed after main().
Listed &listed() {
  static auto *const list = new Listed;
  return *list;
}

void enlist(Driven &plan) {
  const std::lock_guard lock(listed().mutex);
  listed().plans.push_back(&plan);
}

void strike_out(Driven &plan) {
  const std::lock_guard lock(listed().mutex);
  std::erase(listed().plans, &plan);
}

void drive_all_but(const Driven *one, bool may_call_mpi = true) {
  const std::unique_lock lock(listed().mutex, std::try_to_lock);
  if (!lock) return;  // another thread drives them, or makes or frees a plan
  for (Driven *plan : listed().plans) {
    if (plan != one) plan->drive(may_call_mpi);
  }
}

}  // namespace

Driven::Driven(bool needed, const std::optional<Patience> &beside)
    : listed_(needed || beside), beside_thread_(beside.has_value()) {
  if (!listed_) return;
  if (beside || threads_call_at_once()) several_threads = true;
  enlist(*this);
  if (!beside_thread_) return;
  try {
    ProgressThread::of_process().add(*this, *beside);
  } catch (...) {
    strike_out(*this);
    throw;
  }
}

Driven::~Driven() {
  if (beside_thread_) ProgressThread::of_process().remove(*this);
  if (listed_) strike_out(*this);
}

void Driven::leave() {
  left_ = true;
  ProgressThread::of_process().leave_one();
}

void Driven::take_back() {
  left_ = false;
  ProgressThread::of_process().take_one();
}

// The thread that holds the plan may have lost its core and need this one's: so this thread soon yields.
void Driven::await_hold() {
  Waiting waiting({.spins = 100, .yields = 1 << 30});
  do {
    waiting.pause();
  } while (!try_hold());
}

void Driven::drive_others() const {
  drive_all_but(this);
}

bool Driven::drive(bool may_call_mpi) {
  if (!running_.load(std::memory_order_relaxed)) return false;
  const Hold hold(*this, std::try_to_lock);
  if (!hold || !running_.load(std::memory_order_relaxed)) return false;
  const std::size_t before = position();
  fault_ = fault_of([&] { may_call_mpi ? advance() : advance_beside_mpi(); });
  if (fault_) end_by_fault();
  return position() != before;
}

void drive_running(bool may_call_mpi) {
  if (any_running()) drive_all_but(nullptr, may_call_mpi);
}

void end_all_running() {
  const std::lock_guard lock(listed().mutex);
  for (Driven *plan : listed().plans) {
    const Driven::Hold hold(*plan);
    plan->end_running();
  }
}

void drive_what_runs() {
  drive_running();
}

}  // namespace rondo::internal
