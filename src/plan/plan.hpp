#pragma once

// A plan: a schedule bound to buffers and wires, and the one executor that runs every plan.
//
// A start copies, gives signals, starts requests, and returns; wait and test complete step after step. Nothing here
// allocates, locks or logs (tests/mpi/ counts).

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exchange/error.hpp"
#include "plan/patience.hpp"
#include "plan/progress.hpp"
#include "wire/bind.hpp"
#include "wire/channel.hpp"
#include "wire/image.hpp"
#include "wire/native.hpp"
#include "wire/shared.hpp"
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
  std::string name{};                      // for messages
  Schedule schedule{};                     // empty for a native plan
  std::unique_ptr<NativeCall> native{};    // starts the only request of the only step
  std::unique_ptr<SharedWire> shared{};    // null where nothing is shared
  std::vector<const Flag *> gates{};       // see wire/shared.hpp
  std::vector<BoundSchedule> schedules{};  // one, or one for each half of the shared areas
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
  bool threads_start_plans = true;                 // while this one is waited for, which they may need to have driven

  // Where the schedule's spaces lie, but for scratch that is shared.
  [[nodiscard]] BoundSpaces spaces() const;
  // Whether running the plan calls MPI, but for packing in the start.
  [[nodiscard]] bool calls_mpi() const;
  // Whether another rank may still need something of this one when a start has returned: a later step, a message that
  // this rank is to take out of the other's memory, or one that waits for a gate to open.
  [[nodiscard]] bool needed_after_start() const;
  // Whether one of MPI's messages is not under way when a start returns: it is of a later step, or waits for copies
  // that wait for a gate to open.
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

  // Of an inactive plan. Where an exchange of it has failed, receives that nothing has come for are cancelled, and all
  // that a late message may still meet is kept for as long as the process lives. Throws Error (stalled), when the plan
  // has been freed, if MPI still reads or writes the caller's buffers for it. Local.
  static void free(std::unique_ptr<Plan> plan);

  [[nodiscard]] const CallerBuffers &buffers() const { return parts_.buffers; }
  [[nodiscard]] const std::string &name() const { return parts_.name; }

  // Of an inactive plan: other buffers from the next start on. If it throws, all is as it was. Local, but for a native
  // plan: then collective, as making the MPI library's request is.
  void rebind(std::byte *send, std::byte *receive);
  // Before that: throws this rank's refusal, if there is one. Of a native plan all ranks throw that of any. Collective
  // as a rebind is.
  void agree_on_rebind(const std::optional<Error> &refusal) const;
  // Of an inactive plan. Local.
  void start();
  // Of a started plan: does what can be done without waiting, and says whether the exchange is complete.
  bool test();
  // The same without regard for other plans of this process.
  bool look();
  // Completes a started plan, and keeps other plans of this process moving meanwhile. Throws Error (stalled) when
  // nothing comes for the stall timeout; the plan is of no use after that.
  void wait();
  // Between two vain looks of a wait for this plan and others: lets the MPI library move, and throws Error (stalled)
  // when nothing has come for the stall timeout. The caller pauses.
  void look_around(Waiting &waiting);
  [[nodiscard]] const Patience &patience() const { return parts_.patience; }

 private:
  // What there is to see of an exchange under way.
  struct Arrived {
    std::size_t steps = 0;
    std::uint32_t flags = 0, pulls = 0, acknowledgements = 0, requests = 0;
    friend bool operator==(const Arrived &, const Arrived &) = default;
  };

  // How many messages each way.
  struct Messages {
    int received = 0;
    int sent = 0;
  };

  bool advance() override { return advance(true); }
  // What shared memory alone needs. Where the plan does not send after its start, that is all for which others may
  // wait.
  bool advance_beside_mpi() override { return advance(false); }
  bool advance(bool may_call_mpi);
  [[nodiscard]] bool beginning_calls_mpi(std::size_t step) const;
  [[nodiscard]] bool end_calls_mpi() const;
  [[nodiscard]] std::size_t position() const override { return step_; }
  void begin_step();
  void start_requests();
  void end_step();
  bool step_arrived(bool may_call_mpi);
  bool shared_arrived(const BoundStep &step);
  bool requests_arrived(const BoundStep &step);
  void copy_meanwhile();
  void copy_typed() const;
  void copy_and_signal(const BoundStep &step) const;
  void fetch_for_next() const;
  void give(const Signal &signal) const;
  void pull(Pull &pull) const;
  void take(Pull &pull) const;
  [[nodiscard]] static bool withdrawn(const Pull &pull);
  void wait_in_mpi();
  void let_mpi_progress() const;
  void pause(Waiting &waiting);
  void look_for_stall(Waiting &waiting);
  void sleep();
  [[nodiscard]] bool gates_open() const;
  [[nodiscard]] Messages withdraw();
  [[nodiscard]] std::uint64_t gathered(const Gathering &gathering) const;
  [[nodiscard]] std::set<int> missing_peers() const;
  [[nodiscard]] Arrived arrived() const;
  [[nodiscard]] bool complete() const { return step_ == bound_->steps.size(); }

  LivePlan live_;
  PlanParts parts_;
  BoundSchedule *bound_;        // of the half in use
  std::uint64_t starts_ = 0;    // this one included
  std::size_t step_;            // the one under way
  bool at_gate_ = false;        // started, but the first step may not begin yet
  bool meanwhile_due_ = false;  // of the first step, left to the progress thread
  // How far the step under way is.
  std::uint32_t flags_up_ = 0;
  std::uint32_t pulls_done_ = 0;
  std::uint32_t acknowledged_ = 0;
  bool requests_complete_ = false;
  Arrived last_look_{};  // for a stall
  std::uint32_t vain_tests_ = 0;
};

}  // namespace rondo::internal
