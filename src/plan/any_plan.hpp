#pragma once

// What all plans have in common, whether their counts are fixed or come with each start: how a started one is looked
// at, waited for, and found to have stalled.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "wire/bell.hpp"
#include "wire/looks.hpp"
#include "wire/patience.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// How a rank waits for a plan.
struct WaitPolicy {
  Patience patience{};
  std::optional<Patience> beside{};                // of the progress thread, where it drives this plan
  std::chrono::duration<double> stall_timeout{0};  // 0: none
};

// Keeps something until the process ends: buffers that MPI may still write to, memory that other ranks may still read,
// and the communicator of an exchange that has failed. If that were freed, MPI might give its number to a new
// communicator, which would then receive the late messages. Takes memory; where there is none it throws, and nothing
// has been moved.
template <class Things>
void keep_for_good(Things &things) {
  struct Kept {
    Things things;
    Kept *next;
  };
  static std::atomic<Kept *> first{nullptr};
  auto *kept = new Kept{std::move(things), first.load()};
  while (!first.compare_exchange_weak(kept->next, kept)) {
  }
}

class AnyPlan : protected Driven {
 public:
  AnyPlan(const AnyPlan &) = delete;
  AnyPlan &operator=(const AnyPlan &) = delete;

  // Frees an inactive plan. If an exchange of it has failed, receives for which nothing has come are cancelled, and all
  // memory that a late message may still read or write is kept for as long as the process lives. If MPI still reads or
  // writes the caller's buffers, it throws Error (stalled) after it has freed the plan. Local.
  static void free(std::unique_ptr<AnyPlan> plan);

  // What a user who has many plans knows this one by.
  [[nodiscard]] virtual const std::string &name() const = 0;

  // Does what can be done for a started plan without waiting, and says whether its exchange is complete.
  bool test();
  // The same, but other plans of this process are not driven.
  bool look();
  // Completes a started plan, and keeps other plans of this process moving meanwhile. Throws Error (stalled) when
  // nothing comes for the stall timeout; the plan is of no use after that.
  void wait();
  // To be called by a wait for this plan and others between two looks at it that were in vain: lets the MPI library
  // move, and throws Error (stalled) when nothing has come for the stall timeout. Does not pause; the caller does.
  void look_around(Waiting &waiting);
  [[nodiscard]] const Patience &patience() const { return policy_.patience; }

 protected:
  // `needed` is as in Driven.
  AnyPlan(bool needed, const WaitPolicy &policy) : Driven(needed, policy.beside), policy_(policy) {}

  // What there is to see of an exchange under way.
  struct Progress {
    std::size_t step = 0;
    std::uint64_t arrivals = 0;
    friend bool operator==(const Progress &, const Progress &) = default;
  };
  // Where a rank may sleep that waits for it. Without a bell nobody rings.
  struct SleepingPlace {
    Bell *bell = nullptr;
    bool must_look = true;  // something may come of which no bell tells
  };

  [[nodiscard]] virtual bool complete() const = 0;
  // The steps of a start, for messages.
  [[nodiscard]] virtual std::size_t steps() const = 0;
  // Whether this rank may wait inside MPI, by wait_in_mpi(), if no other plan runs in the process.
  [[nodiscard]] virtual bool waits_in_mpi_alone() const { return false; }
  virtual void wait_in_mpi() {}
  // As advance(), for a wait that has nothing else to do: may look again for what alone is missing.
  virtual bool advance_looking(Looks &) { return advance(); }
  // Lets the MPI library move the program's own messages.
  virtual void let_mpi_progress() const = 0;
  [[nodiscard]] virtual SleepingPlace sleeping_place() const = 0;
  [[nodiscard]] virtual Progress progress() const = 0;
  [[nodiscard]] virtual std::set<int> missing_peers() const = 0;
  // Cancels what can be cancelled of an exchange that has failed, and counts the messages that are still under way.
  virtual Unfinished withdraw() = 0;
  // Keeps what late messages of an exchange that has failed may still meet, until the process ends. Takes memory.
  virtual void keep_for_late_messages() = 0;

  // A start begins: nothing has been seen of it yet.
  void forget_last_look() { last_look_.reset(); }
  [[nodiscard]] const WaitPolicy &policy() const { return policy_; }

 private:
  void pause(Waiting &waiting);
  void look_for_first_time();
  void look_for_stall(Waiting &waiting);
  void sleep();

  WaitPolicy policy_;
  std::optional<Progress> last_look_{};  // for a stall; nothing until there has been one in this start
  std::uint32_t vain_tests_ = 0;
};

}  // namespace rondo::internal
