#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

#include "exchange/error.hpp"
#include "wire/patience.hpp"

namespace rondo::internal {

// Progress between plans. A rank that waits for one plan must keep its other started plans moving, as MPI asks of
// its operations: another rank may wait for those first. A plan is listed here from init to free if after its start
// another rank may still need something of this one (Plan says what), and a waiting rank drives those of the list that
// run. So are the progress thread's plans listed, all of them. There is one list in a process: whoever waits, for a
// plan or for something of the MPI library's, drives all that is in it.

// How many of those that are listed run. A start counts before it looks whether anybody waits in a call of the MPI
// library's, and who goes to wait there says so before it looks at this: one of the two sees the other.
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

  // Advances this plan if it runs and nobody else is at it; whether it got any further. A fault is kept for the plan's
  // own next call. Without MPI: what can be done beside a thread that is in a call of the MPI library's, where MPI
  // allows no second.
  bool drive(bool may_call_mpi = true);

 protected:
  // Does what can be done without waiting; true once the exchange is complete.
  virtual bool advance() = 0;
  // The same without a call of MPI's, as far as that goes.
  virtual bool advance_beside_mpi() { return false; }
  // Grows with each step that is done.
  [[nodiscard]] virtual std::size_t position() const = 0;

  // Around the time that the plan runs; held. end_running may come twice.
  void begin_running();
  void end_running();

  // Runs work(); if that throws, the plan runs no more.
  template <class Work>
  auto or_end_running(Work &&work) {
    try {
      return work();
    } catch (...) {
      end_running();
      throw;
    }
  }

  // The plan's caller goes and does something else, or comes back to wait; held.
  void leave_to_thread();
  void take_from_thread();

  // Whether any other plan runs that needs driving.
  [[nodiscard]] bool others_run() const;
  // Advances those, each unless another thread is at it.
  void drive_others() const;

  // Held by whoever advances this plan: only needed against other threads.
  class Hold {
   public:
    explicit Hold(Driven &plan) : Hold(plan, std::try_to_lock) {
      if (!held_) plan.await_hold();
      held_ = true;
    }
    Hold(Driven &plan, std::try_to_lock_t)
        : plan_(plan.listed_ ? &plan : nullptr),
          held_(plan_ == nullptr || !plan_->held_.test_and_set(std::memory_order_acquire)) {}
    ~Hold() {
      if (plan_ != nullptr && held_) plan_->held_.clear(std::memory_order_release);
    }
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

    explicit operator bool() const { return held_; }

   private:
    Driven *plan_;
    bool held_;
  };

  // A fault met while another plan's wait, or the progress thread, drove this one: thrown at this plan's own next call.
  void throw_stored_fault();

 private:
  void await_hold();

  const bool listed_;
  const bool beside_thread_;
  std::atomic<bool> running_{false};
  bool left_ = false;
  std::atomic_flag held_;
  std::optional<Error> fault_;
};

// Advances all that runs in this process, as Driven::drive does: for a wait or a test that has nothing of its own to
// do.
void drive_running(bool may_call_mpi = true);

// A Meanwhile (wire/meanwhile.hpp) of all plans of this process.
void drive_what_runs();

}  // namespace rondo::internal
