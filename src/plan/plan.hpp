#pragma once

// A plan: a schedule bound to buffers and wires, and the one executor that runs every plan.
//
// A start begins the first step and returns; a wait and a test complete step after step. The executor copies between
// the steps, and each wire moves its own messages in them (wire/wire_steps.hpp). None of the three allocates or logs
// anything (tests/mpi/start_does_nothing_else.cpp counts).

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exchange/error.hpp"
#include "plan/any_plan.hpp"
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

// How one side's data is used where its blocks are not all runs of bytes in the caller's buffer; nothing where they
// are.
struct StandIn {
  std::optional<Image> image{};  // packed before each exchange, or unpacked after it
  std::optional<TypedSpace> typed{};
  std::optional<RunSpace> runs{};

  void move_to(std::byte *buffer);
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
  StandIn send{};
  StandIn receive{};
  WaitPolicy policy{};
  bool threads_start_plans = true;  // other threads may start plans while this one is waited for

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
  // Moves to other buffers of the caller's. What is bound is then moved, or bound anew.
  Moved point_at(std::byte *send_buffer, std::byte *receive_buffer);
};

class Plan final : public AnyPlan {
 public:
  explicit Plan(PlanParts parts);
  ~Plan() override;

  [[nodiscard]] const CallerBuffers &buffers() const { return parts_.buffers; }
  [[nodiscard]] const std::string &name() const override { return parts_.name; }

  // Gives an inactive plan other buffers from the next start on. If it throws, the plan is as it was. Local; for a
  // native plan collective, as making the MPI library's request is.
  void rebind(std::byte *send, std::byte *receive);
  // To be called before rebind(): throws this rank's refusal, if there is one. For a native plan it is collective, and
  // all ranks throw if any has a refusal.
  void agree_on_rebind(const std::optional<Error> &refusal) const;
  // Starts an inactive plan. Local.
  void start();

 private:
  bool advance() override { return advance(true); }
  // Does what needs no call of MPI's. That is all that other ranks may wait for, if the plan sends no message of MPI
  // after its start.
  bool advance_beside_mpi() override { return advance(false); }
  bool advance(bool may_call_mpi);
  [[nodiscard]] bool beginning_calls_mpi(std::size_t step) const;
  [[nodiscard]] bool end_calls_mpi() const;
  [[nodiscard]] std::size_t position() const override { return step_; }
  [[nodiscard]] bool may_begin() const;
  void begin_step_if_it_may();
  void begin_step();
  void copy_meanwhile();
  [[nodiscard]] bool step_arrived(bool may_call_mpi);
  void end_step();
  void fetch_for_next() const;
  [[nodiscard]] bool complete() const override { return step_ == bound_->steps.size(); }
  [[nodiscard]] std::size_t steps() const override { return bound_->steps.size(); }
  [[nodiscard]] bool waits_in_mpi_alone() const override;
  void wait_in_mpi() override;
  void let_mpi_progress() const override;
  [[nodiscard]] SleepingPlace sleeping_place() const override;
  [[nodiscard]] Progress progress() const override;
  [[nodiscard]] std::set<int> missing_peers() const override;
  void give_up() override;
  Unfinished withdraw() override;
  void keep_for_late_messages() override;
  [[nodiscard]] Wires &wires() const { return bound_->wires; }
  [[nodiscard]] std::size_t bank_after(std::size_t bank) const {
    return bank + 1 == parts_.schedules.size() ? 0 : bank + 1;
  }

  LivePlan live_;
  PlanParts parts_;
  std::size_t bank_;            // in use: starts use them in turn, from the first on
  BoundSchedule *bound_;        // of this bank
  Start start_;                 // the last one
  std::size_t step_;            // the one under way
  bool held_up_ = false;        // the step may not begin yet
  bool meanwhile_due_ = false;  // of the first step, left to the progress thread
};

}  // namespace rondo::internal
