#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

#include "exchange/error.hpp"
#include "wire/patience.hpp"

namespace rondo::internal {

// Progress between plans. A rank that waits for one plan must keep its other started plans moving, as MPI asks of
// its operations: another rank may wait for one of the others first. The process has one list of plans. A plan is in
// it, from init to free, if another rank may still need something of this rank when a start has returned (see
// PlanParts::needed_after_start), or if it has a progress thread. Whoever waits in this process, for a plan or for the
// MPI library, drives all plans of the list that have been started and are not complete: those that run.

// Whether several threads may be at plans of this process at the same time: the program's, under MPI_THREAD_MULTIPLE,
// or one of Rondo's own. Once true it stays so; what makes it true does so before there is a second thread. Until then
// locks and counts are plain loads and stores: a locked instruction would wait until all that this rank has just
// written for others has left for memory.
inline constinit std::atomic<bool> several_threads{false};

// How many plans of the list run. A start first adds to this number and then looks whether a thread waits in a call of
// the MPI library's. A thread that is about to wait there first says so, and then looks at this number. So at least one
// of the two sees the other.
inline constinit std::atomic<int> running_count{0};
inline bool any_running() {
  return running_count.load() > 0;
}

class Driven {
 public:
  // `needed`: whether another rank may need something after a start. `beside`: how the progress thread waits; given,
  // the plan is that thread's whenever its caller is not waiting for it (plan/progress_thread.hpp).
  explicit Driven(bool needed, const std::optional<Patience> &beside = std::nullopt);
  virtual ~Driven();
  Driven(const Driven &) = delete;
  Driven &operator=(const Driven &) = delete;

  friend void end_all_running();

  // Advances this plan, if it runs and no other thread holds it; says whether it has got any further. A fault is kept
  // for the plan's own next call. Without may_call_mpi it does what needs no call of MPI's: another thread is in a call
  // of the MPI library, and MPI allows only one at a time.
  bool drive(bool may_call_mpi = true);

 protected:
  // Does what can be done without waiting; true once the exchange is complete.
  virtual bool advance() = 0;
  // Does what can be done without waiting and without a call of MPI's.
  virtual bool advance_beside_mpi() { return false; }
  // Grows with each step that is done.
  [[nodiscard]] virtual std::size_t position() const = 0;

  // The exchange has failed, of which the program is about to hear: from then on it may do with its buffers what it
  // likes. Tells those that might still read them.
  virtual void give_up() {}

  // The plan is running from the one call to one of the others. The caller holds the plan. A second end has no effect.
  void begin_running() {
    if (!listed_) return;
    running_.store(true, std::memory_order_relaxed);
    count_running(1);
  }
  void end_running() {
    take_from_thread();
    if (!listed_ || !running_.load(std::memory_order_relaxed)) return;
    running_.store(false, std::memory_order_relaxed);
    count_running(-1);
  }
  void end_by_fault() {
    give_up();
    end_running();
  }

  // Runs work(); if that throws, the plan runs no more.
  template <class Work>
  auto or_end_running(Work &&work) {
    try {
      return work();
    } catch (...) {
      end_by_fault();
      throw;
    }
  }

  // Leaves the plan to the progress thread while its caller does something else, and takes it back when the caller
  // waits. The caller holds the plan.
  void leave_to_thread() {
    if (beside_thread_ && running_.load(std::memory_order_relaxed)) leave();
  }
  void take_from_thread() {
    if (left_) take_back();
  }

  // Whether any other plan runs that needs driving.
  [[nodiscard]] bool others_run() const {
    const int self = running_.load(std::memory_order_relaxed) ? 1 : 0;
    return running_count.load(std::memory_order_relaxed) > self;
  }
  // Advances those, each unless another thread is at it.
  void drive_others() const;

  // The lock of this plan, which whoever advances it holds. Plans that are not listed need none: only one thread uses
  // them at a time.
  class Hold {
   public:
    explicit Hold(Driven &plan) : Hold(plan, std::try_to_lock) {
      if (!held_) plan.await_hold();
      held_ = true;
    }
    Hold(Driven &plan, std::try_to_lock_t)
        : plan_(plan.listed_ ? &plan : nullptr), held_(plan_ == nullptr || plan_->try_hold()) {}
    ~Hold() {
      if (plan_ != nullptr && held_) plan_->held_.store(false, std::memory_order_release);
    }
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

    explicit operator bool() const { return held_; }

   private:
    Driven *plan_;
    bool held_;
  };

  // A fault met while another plan's wait, or the progress thread, drove this one: thrown at this plan's own next call.
  void throw_stored_fault() {
    if (fault_) [[unlikely]]
      throw std::exchange(fault_, std::nullopt).value();
  }

 private:
  static void count_running(int change) {
    if (several_threads.load(std::memory_order_relaxed)) {
      running_count.fetch_add(change);
    } else {
      running_count.store(running_count.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
    }
  }
  void leave();
  void take_back();
  bool try_hold() {
    if (several_threads.load(std::memory_order_relaxed)) return !held_.exchange(true, std::memory_order_acquire);
    if (held_.load(std::memory_order_relaxed)) return false;
    held_.store(true, std::memory_order_relaxed);
    return true;
  }
  void await_hold();

  const bool listed_;
  const bool beside_thread_;
  std::atomic<bool> running_{false};
  bool left_ = false;
  std::atomic<bool> held_{false};
  std::optional<Error> fault_;
};

// Advances all that runs in this process, as Driven::drive does: for a wait or a test that has nothing of its own to
// do.
void drive_running(bool may_call_mpi = true);

// MPI is about to end: no plan runs any more.
void end_all_running();

// A Meanwhile (wire/meanwhile.hpp) of all plans of this process.
void drive_what_runs();

}  // namespace rondo::internal
