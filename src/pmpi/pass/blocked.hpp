#pragma once

// The program's threads that are in a call which may last until other ranks have done something.
//
// MPI asks that what a rank has started goes on in all of its MPI calls: another rank may complete an exchange with it
// before it comes to the call that this one is in. The MPI library does not know our exchanges. So such a call drives
// what runs before it begins, which is all that a loop over short ones needs. When it has lasted for a millisecond, a
// thread of ours drives until it returns; without MPI_THREAD_MULTIPLE only what needs no MPI call, which is why plans
// are others then (all_help_by_mpi). With it, another thread of the program may start something while the call lasts:
// then that wakes ours.

#include <atomic>

#include "plan/progress.hpp"

namespace rondo::internal::pmpi {

// Whether threads of the program may call MPI at once.
extern constinit std::atomic<bool> calls_at_once;

// Whether our thread may call MPI on all ranks. Where it may not, plans send their MPI messages at their start only.
extern constinit std::atomic<bool> all_help_by_mpi;

// Lives as long as the call does. Costs two loads where nothing runs, unless threads call at once.
class Blocked {
 public:
  Blocked() : counted_(any_running() || calls_at_once.load(std::memory_order_relaxed)) {
    if (counted_) enter();
  }
  // A call of ours that drives what runs as long as anything does: only what other threads start needs more.
  static constexpr struct DrivesItself {
  } drives_itself{};
  explicit Blocked(DrivesItself) : counted_(calls_at_once.load(std::memory_order_relaxed)) {
    if (counted_) enter();
  }
  ~Blocked() {
    if (counted_) leave();
  }
  Blocked(const Blocked &) = delete;
  Blocked &operator=(const Blocked &) = delete;

 private:
  static void enter();
  static void leave();

  const bool counted_;
};

// Something has just been started, maybe while other threads are in such calls.
void help_blocked();

// Ends the thread, if there is one. Called in MPI_Finalize.
void end_helper();

}  // namespace rondo::internal::pmpi
