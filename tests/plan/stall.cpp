// When a wait gives up: at the first look after the timeout at which nothing has come since the look before.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "plan/any_plan.hpp"

namespace rondo::internal::test {
namespace {

// A started plan for which things come only as a test says.
class Stalling final : public AnyPlan {
 public:
  Stalling() : AnyPlan(false, {.stall_timeout = std::chrono::microseconds(1)}) {}

  void start() { forget_last_look(); }

  [[nodiscard]] const std::string &name() const override { return name_; }
  std::uint64_t arrived = 0;

 private:
  bool advance() override { return false; }
  [[nodiscard]] std::size_t position() const override { return 0; }
  [[nodiscard]] bool complete() const override { return false; }
  [[nodiscard]] std::size_t steps() const override { return 1; }
  void let_mpi_progress() const override {}
  [[nodiscard]] SleepingPlace sleeping_place() const override { return {}; }
  [[nodiscard]] Progress progress() const override { return {.step = 0, .arrivals = arrived}; }
  [[nodiscard]] std::set<int> missing_peers() const override { return {3}; }
  Unfinished withdraw() override { return {}; }
  void keep_for_late_messages() override {}

  std::string name_ = "stalling";
};

class Stall : public testing::Test {
 protected:
  void look_later() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    plan.look_around(waiting);
  }

  Stalling plan;
  Waiting waiting{{.spins = 0, .looks = 0, .yields = 1}};
};

// Plans count arrivals from their first start on.
TEST_F(Stall, IsToldAfterOneTimeoutThoughThingsHadComeBefore) {
  plan.arrived = 5;
  plan.start();
  plan.look_around(waiting);

  EXPECT_THROW(look_later(), Error);
}

TEST_F(Stall, IsNoneWhileThingsCome) {
  plan.start();
  plan.look_around(waiting);
  for (int i = 0; i < 3; ++i) {
    ++plan.arrived;
    EXPECT_NO_THROW(look_later());
    EXPECT_NO_THROW(plan.look_around(waiting));  // the time counts from here on
  }

  EXPECT_THROW(look_later(), Error);
}

TEST_F(Stall, OfAnEarlierStartIsForgotten) {
  plan.start();
  plan.look_around(waiting);
  plan.start();
  waiting.begin_again();

  EXPECT_NO_THROW(look_later());
  EXPECT_THROW(look_later(), Error);
}

}  // namespace
}  // namespace rondo::internal::test
