// The progress thread, with plans that do nothing but count: whom it drives, when it sleeps, how long it lives.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "plan/progress.hpp"

namespace rondo::internal::test {
namespace {

// Complete after so many advances, or fails at the one with the number `fails_at`.
class Counting : public Driven {
 public:
  explicit Counting(int steps, int fails_at = -1) : Driven(false, Patience{}), steps_(steps), fails_at_(fails_at) {}

  void start() {
    const Hold hold(*this);
    done_ = 0;
    begin_running();
    leave_to_thread();
  }
  // Throws what it failed with. A plan is looked at like this before it is freed.
  void end() {
    const Hold hold(*this);
    throw_stored_fault();
    end_running();
  }
  [[nodiscard]] int done() const { return done_; }
  // Without a call that would drive it.
  void await(int steps) const {
    while (done_ < steps) std::this_thread::yield();
  }

 private:
  bool advance() override {
    if (++done_ == fails_at_) throw Error(Fault::mpi, "as it was told to");
    if (done_ == steps_) end_running();
    return done_ == steps_;
  }
  [[nodiscard]] std::size_t position() const override { return static_cast<std::size_t>(done_.load()); }

  const int steps_;
  const int fails_at_;
  std::atomic<int> done_{0};
};

// The progress threads of this process, as the system shows them.
std::vector<std::filesystem::path> threads() {
  std::vector<std::filesystem::path> found;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name == "rondo progress") found.push_back(task.path());
  }
  return found;
}

// A thread names itself some time after it was made, and the system shows it for a moment after it has been joined.
bool threads_are_soon(std::size_t count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (threads().size() != count) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

// How often the thread has gone to sleep.
std::string sleeps(const std::filesystem::path &task) {
  std::ifstream status(task / "status");
  std::string line;
  while (std::getline(status, line) && !line.starts_with("voluntary_ctxt_switches")) {
  }
  return line;
}

TEST(ProgressThread, CompletesAPlanThatIsLeftToIt) {
  Counting plan(1000);

  for (int start = 0; start < 20; ++start) {
    plan.start();
    plan.await(1000);
    plan.end();
  }

  EXPECT_EQ(plan.done(), 1000);
}

TEST(ProgressThread, DrivesAllThatAreLeftToIt) {
  Counting never(1'000'000'000);
  Counting one(100);
  Counting two(200);

  never.start();
  one.start();
  two.start();
  one.await(100);
  two.await(200);

  for (Counting *plan : {&never, &one, &two}) plan->end();
  EXPECT_GT(never.done(), 0);
}

TEST(ProgressThread, LeavesAPlanAloneThatRunsNoMore) {
  Counting plan(1'000'000'000);
  plan.start();
  plan.await(1);

  plan.end();
  const int done = plan.done();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));

  EXPECT_EQ(plan.done(), done);
}

TEST(ProgressThread, KeepsAFaultForThePlansOwnNextCall) {
  Counting failing(10, 5);
  Counting other(1000);
  failing.start();
  other.start();

  failing.await(5);
  other.await(1000);
  other.end();

  EXPECT_THROW(failing.end(), Error);
  EXPECT_NO_THROW(failing.end());
  EXPECT_EQ(failing.done(), 5);
}

TEST(ProgressThread, IsOneForAllPlansAndEndsWithTheLast) {
  auto first = std::make_unique<Counting>(10);
  auto second = std::make_unique<Counting>(10);
  ASSERT_TRUE(threads_are_soon(1));

  first.reset();
  EXPECT_EQ(threads().size(), 1);
  second.reset();
  EXPECT_TRUE(threads_are_soon(0));
}

TEST(ProgressThread, IsMadeAtInitNotAtStart) {
  EXPECT_TRUE(threads_are_soon(0));
  Counting plan(10);
  ASSERT_TRUE(threads_are_soon(1));

  plan.start();
  plan.await(10);
  plan.end();

  EXPECT_EQ(threads().size(), 1);
}

TEST(ProgressThread, BeginsAgainAfterItsEnd) {
  for (int time = 0; time < 50; ++time) {
    Counting plan(10);
    plan.start();
    plan.await(10);
    plan.end();
  }
  EXPECT_TRUE(threads_are_soon(0));
}

// It would wake up from its naps otherwise.
TEST(ProgressThread, SleepsWhileNoPlanIsLeftToIt) {
  Counting plan(10);
  plan.start();
  plan.await(10);
  plan.end();
  ASSERT_TRUE(threads_are_soon(1));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until it has seen that

  const std::string before = sleeps(threads().front());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));

  EXPECT_EQ(sleeps(threads().front()), before);
}

// Each thread makes, starts and frees plans without regard to the others.
TEST(ProgressThread, PlansComeAndGoWhileOthersRun) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([] {
      for (int time = 0; time < 100; ++time) {
        Counting plan(20);
        plan.start();
        plan.await(20);
        plan.end();
      }
    });
  }
  for (std::thread &caller : callers) caller.join();

  EXPECT_TRUE(threads_are_soon(0));
}

}  // namespace
}  // namespace rondo::internal::test
