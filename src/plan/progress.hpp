#pragma once

#include <atomic>
#include <optional>

#include "exchange/error.hpp"

namespace rondo {

// Progress between plans. A rank that waits for one plan must keep its other started plans moving, as MPI asks of
// its operations: another rank may wait for those first. Plans of one step need no help, since all their messages
// are started at once; plans of several steps are listed here from init to free, and a waiting rank drives those
// that run.
class Driven {
 public:
  // `several_steps`: whether this plan ever needs driving.
  explicit Driven(bool several_steps);
  virtual ~Driven();
  Driven(const Driven &) = delete;
  Driven &operator=(const Driven &) = delete;

 protected:
  // Does what can be done without waiting; true once the exchange is complete.
  virtual bool advance() = 0;

  // Around the time that the plan runs.
  void begin_running();
  void end_running();

  // Whether any other plan runs that needs driving.
  [[nodiscard]] bool others_run() const;
  // Advances those, each unless another thread is at it.
  void drive_others() const;

  // Held by whoever advances this plan: only needed against drive_others from other threads.
  class Hold {
   public:
    explicit Hold(Driven &plan) : plan_(plan.several_steps_ ? &plan : nullptr) {
      while (plan_ != nullptr && plan_->held_.test_and_set(std::memory_order_acquire)) {
      }
    }
    ~Hold() {
      if (plan_ != nullptr) plan_->held_.clear(std::memory_order_release);
    }
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

   private:
    Driven *plan_;
  };

  // A fault met while another plan's wait drove this one: thrown at this plan's own next call.
  void throw_stored_fault();

 private:
  void drive();

  const bool several_steps_;
  std::atomic<bool> running_{false};
  std::atomic_flag held_;
  std::optional<Error> fault_;
};

}  // namespace rondo
