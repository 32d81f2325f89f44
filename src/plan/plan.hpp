#pragma once

// A plan: a schedule bound to buffers and wires, and the one executor that runs every plan.
//
// A start begins the first step and returns; a wait and a test complete step after step. The executor copies between
// the steps, and each wire moves its own messages in them (wire/wire_steps.hpp). None of the three allocates or logs
// anything (tests/mpi/start_does_nothing_else.cpp counts).

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "wire/bind.hpp"
#include "wire/channel.hpp"
#include "wire/image.hpp"
#include "wire/native.hpp"
#include "wire/patience.hpp"
#include "wire/typed_space.hpp"

namespace rondo::internal {

// The buffers as the caller uses them, and those that the plan has allocated outside shared memory.
struct CallerBuffers {
  std::byte *send = nullptr;
  std::byte *receive = nullptr;
  Storage own_send{};
  Storage own_receive{};
};

// What a plan keeps alive for as long as it may run.
struct PlanParts {
  Channel channel;
  std::string name{};                          // for messages
  std::shared_ptr<const Schedule> schedule{};  // empty for a native plan
  std::unique_ptr<NativeCall> native{};        // null but for such a plan
  std::unique_ptr<SharedRegion> shared{};      // null where nothing is shared
  std::vector<BoundSchedule> schedules{};      // one, or one for each bank of the shared areas
  CallerBuffers buffers{};
  Storage scratch{};
  Storage staging{};
  std::optional<Image> send_image{};       // packed before each exchange
  std::optional<Image> receive_image{};    // unpacked after each
  std::optional<TypedSpace> typed_send{};  // in the place of an image
  std::optional<TypedSpace> typed_receive{};
  Patience patience{};
  std::optional<Patience> beside{};                // of the progress thread, where it drives this plan
  std::chrono::duration<double> stall_timeout{0};  // 0: none
  bool threads_start_plans = true;                 // other threads may start plans while this one is waited for

  // Where the schedule's spaces lie, but for scratch that is shared.
  [[nodiscard]] BoundSpaces spaces() const;
  // Whether running the plan calls MPI. The packing of an image in the start is not counted.
  [[nodiscard]] bool calls_mpi() const;
  // Whether another rank may still need something of this one when a start has returned: a later step, or what a wire
  // does in a step that has begun, or cannot begin yet.
  [[nodiscard]] bool needed_after_start() const;
  // Whether one of MPI's messages is not under way when a start returns: it is of a later step, or of a first step that
  // a wire holds up.
  [[nodiscard]] bool sends_after_start() const;
  // The schedule bound to them. Local.
  [[nodiscard]] std::vector<BoundSchedule> bind_all() const;
  // Moves to other buffers of the caller's; what is bound must be bound anew.
  void point_at(std::byte *send, std::byte *receive);
};

class Plan : private Driven {
 public:
  explicit Plan(PlanParts parts);
  ~Plan() override;
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;

  // Frees an inactive plan. If an exchange of it has failed, receives for which nothing has come are cancelled, and all
  // memory that a late message may still read or write is kept for as long as the process lives. If MPI still reads or
  // writes the caller's buffers, it throws Error (stalled) after it has freed the plan. Local.
  static void free(std::unique_ptr<Plan> plan);

  [[nodiscard]] const CallerBuffers &buffers() const { return parts_.buffers; }
  [[nodiscard]] const std::string &name() const { return parts_.name; }

  // Gives an inactive plan other buffers from the next start on. If it throws, the plan is as it was. Local; for a
  // native plan collective, as making the MPI library's request is.
  void rebind(std::byte *send, std::byte *receive);
  // To be called before rebind(): throws this rank's refusal, if there is one. For a native plan it is collective, and
  // all ranks throw if any has a refusal.
  void agree_on_rebind(const std::optional<Error> &refusal) const;
  // Starts an inactive plan. Local.
  void start();
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
  [[nodiscard]] const Patience &patience() const { return parts_.patience; }

 private:
  // What there is to see of an exchange under way.
  struct Progress {
    std::size_t step = 0;
    std::uint32_t arrivals = 0;
    friend bool operator==(const Progress &, const Progress &) = default;
  };

  bool advance() override { return advance(true); }
  // Does what needs no call of MPI's. That is all that other ranks may wait for, if the plan sends no message of MPI
  // after its start.
  bool advance_beside_mpi() override { return advance(false); }
  bool advance(bool may_call_mpi);
  [[nodiscard]] bool beginning_calls_mpi(std::size_t step) const;
  [[nodiscard]] bool end_calls_mpi() const;
  [[nodiscard]] std::size_t position() const override { return step_; }
  [[nodiscard]] bool may_begin() const;
  void begin_step();
  void copy_meanwhile();
  [[nodiscard]] bool step_arrived(bool may_call_mpi);
  void end_step();
  void fetch_for_next() const;
  [[nodiscard]] bool waits_in_mpi_alone() const;
  void wait_in_mpi();
  void let_mpi_progress() const;
  void pause(Waiting &waiting);
  void look_for_stall(Waiting &waiting);
  void sleep();
  [[nodiscard]] Unfinished withdraw();
  [[nodiscard]] std::set<int> missing_peers() const;
  [[nodiscard]] Progress progress() const;
  [[nodiscard]] bool complete() const { return step_ == bound_->steps.size(); }
  [[nodiscard]] Wires &wires() const { return bound_->wires; }

  LivePlan live_;
  PlanParts parts_;
  BoundSchedule *bound_;        // of the bank in use
  Start start_;                 // the last one
  std::size_t step_;            // the one under way
  bool held_up_ = false;        // started, but the first step may not begin yet
  bool meanwhile_due_ = false;  // of the first step, left to the progress thread
  Progress last_look_{};        // for a stall
  std::uint32_t vain_tests_ = 0;
};

}  // namespace rondo::internal
