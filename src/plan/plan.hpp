#pragma once

// A plan: a schedule bound to buffers and wires, and the one executor that runs every plan.
//
// A start copies, starts requests, and returns; wait and test complete step after step. Nothing here allocates,
// locks or logs (tests/mpi/start_does_nothing_else.cpp counts).

#include <memory>
#include <optional>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "wire/bound.hpp"
#include "wire/channel.hpp"
#include "wire/image.hpp"
#include "wire/native.hpp"

namespace rondo {

// What a plan keeps alive for as long as it may run.
struct PlanParts {
  Channel channel;
  std::unique_ptr<NativeCall> native{};  // starts the only request of the only step
  BoundSchedule schedule{};
  Storage scratch{};
  Storage staging{};
  std::optional<Image> send_image{};     // packed before each exchange
  std::optional<Image> receive_image{};  // unpacked after each
};

class Plan : private Driven {
 public:
  explicit Plan(PlanParts parts);
  ~Plan() override;
  Plan(const Plan &) = delete;
  Plan &operator=(const Plan &) = delete;

  // Of an inactive plan. Local.
  void start();
  // Of a started plan: does what can be done without waiting, and says whether the exchange is complete.
  bool test();
  // Completes a started plan, and keeps other plans of this process moving meanwhile.
  void wait();

 private:
  bool advance() override;
  void begin_step();
  void end_step();
  void wait_alone();
  [[nodiscard]] bool complete() const { return step_ == parts_.schedule.steps.size(); }

  PlanParts parts_;
  std::size_t step_;  // the one under way
};

}  // namespace rondo
