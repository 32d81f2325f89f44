// What a rank drives while it waits for something else.

#include "plan/progress.hpp"

#include <gtest/gtest.h>

namespace rondo::internal::test {
namespace {

// Counts how often it is driven each way.
class Counted : public Driven {
 public:
  explicit Counted(bool needed) : Driven(needed) {}

  void start() {
    const Hold hold(*this);
    begin_running();
  }
  void end() {
    const Hold hold(*this);
    end_running();
  }

  int with_mpi = 0;
  int without_mpi = 0;

 private:
  bool advance() override {
    ++with_mpi;
    return false;
  }
  bool advance_beside_mpi() override {
    ++without_mpi;
    return false;
  }
  [[nodiscard]] std::size_t position() const override { return 0; }
};

TEST(Progress, DrivesWhatRunsAndNothingElse) {
  Counted running(true);
  Counted inactive(true);
  Counted of_no_need(false);
  running.start();
  of_no_need.start();

  EXPECT_TRUE(any_running());
  drive_running();
  running.end();
  of_no_need.end();
  drive_running();

  EXPECT_FALSE(any_running());
  EXPECT_EQ(running.with_mpi, 1);
  EXPECT_EQ(inactive.with_mpi, 0);
  EXPECT_EQ(of_no_need.with_mpi, 0);
}

TEST(Progress, BesideACallOfMpisDoesWhatNeedsNone) {
  Counted running(true);
  running.start();

  drive_running(false);
  running.end();

  EXPECT_EQ(running.with_mpi, 0);
  EXPECT_EQ(running.without_mpi, 1);
}

TEST(Progress, OfOneThatIsEndedTwiceEndsOnce) {
  Counted plan(true);
  plan.start();
  plan.end();
  plan.end();

  EXPECT_FALSE(any_running());
}

}  // namespace
}  // namespace rondo::internal::test
