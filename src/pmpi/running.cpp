#include "pmpi/running.hpp"

#include <atomic>
#include <mutex>
#include <vector>

#include "plan/progress.hpp"
#include "pmpi/blocked.hpp"
#include "wire/library_progress.hpp"

namespace rondo::internal::pmpi {

namespace {

struct Listed {
  std::mutex mutex;
  std::vector<Running *> all;
};

// Never destroyed: a program may free requests after main().
Listed &listed() {
  static auto *const list = new Listed;
  return *list;
}

std::atomic<int> running{0};

// A look at ours may call no MPI, and the library needs that for what is its own. Not in each look, as it takes as long
// as many of those.
void let_library_move_at_times() {
  constexpr unsigned looks_between = 8;
  static thread_local unsigned looks = 0;
  if (++looks % looks_between == 0) let_library_move();
}

[[maybe_unused]] const bool driven_by_init = [] {
  drive_also([] {
    if (any_running()) drive_all();
  });
  return true;
}();

}  // namespace

void Running::begin_running() {
  {
    const std::lock_guard lock(listed().mutex);
    listed().all.push_back(this);
    running.fetch_add(1);
  }
  help_blocked();
}

void Running::end_running() {
  const std::lock_guard lock(listed().mutex);
  if (std::erase(listed().all, this) > 0) running.fetch_sub(1, std::memory_order_relaxed);
}

int running_now() {
  return running.load();
}

void drive_all() {
  let_library_move_at_times();
  const std::unique_lock lock(listed().mutex, std::try_to_lock);
  if (!lock) return;
  for (Running *operation : listed().all) operation->drive();
}

void help_all(bool may_call_mpi) {
  const std::unique_lock lock(listed().mutex, std::try_to_lock);
  if (!lock) return;
  for (Running *operation : listed().all) operation->help(may_call_mpi);
}

}  // namespace rondo::internal::pmpi
