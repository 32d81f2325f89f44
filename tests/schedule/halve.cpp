#include "schedule/halve.hpp"

#include <gtest/gtest.h>

#include "plans/algorithm.hpp"
#include "tests/schedule/memory.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

const std::vector<int> nodes = {0, 0, 1};

// Of rank 0: a step with a message for rank 1 of its node and one for rank 2, then one in which it receives from
// rank 2.
Schedule two_steps(const std::vector<Slice> &slices, std::int64_t bytes) {
  const auto count = static_cast<std::uint32_t>(slices.size());
  Schedule schedule;
  schedule.ranks = 3;
  schedule.slices = slices;
  schedule.sends = {{.peer = 1, .count = count, .bytes = bytes}, {.peer = 2, .count = count, .bytes = bytes}};
  schedule.receives = {{.peer = 2, .count = count, .bytes = bytes}};
  schedule.steps = {{.sends = 2}, {.first_send = 2, .receives = 1}};
  return schedule;
}

std::vector<Slice> sent(const Schedule &schedule, std::size_t message) {
  const auto slices = schedule.slices_of(schedule.sends[message]);
  return {slices.begin(), slices.end()};
}

TEST(Halve, MessagesBetweenNodesThatAreALittleTooLong) {
  Schedule schedule = two_steps({{100, 21, Space::scratch}}, 21);

  halve_long_messages(schedule, {nodes, 20});

  ASSERT_EQ(schedule.sends.size(), 3U);
  EXPECT_EQ(sent(schedule, 0), (std::vector<Slice>{{100, 21, Space::scratch}})) << "inside the node";
  EXPECT_EQ(sent(schedule, 1), (std::vector<Slice>{{100, 11, Space::scratch}}));
  EXPECT_EQ(sent(schedule, 2), (std::vector<Slice>{{111, 10, Space::scratch}}));
  EXPECT_EQ(schedule.sends[1].bytes, 11);
  EXPECT_EQ(schedule.sends[2].bytes, 10);
  EXPECT_EQ(schedule.steps[0].sends, 3U);
  EXPECT_EQ(schedule.steps[1].first_send, 3U);
  ASSERT_EQ(schedule.receives_of(schedule.steps[1]).size(), 2U);
  EXPECT_EQ(schedule.receives[1].bytes, 10);
}

TEST(Halve, SlicesWhereTheyAre) {
  Schedule schedule = two_steps({{0, 8, Space::send}, {50, 20, Space::scratch}, {90, 2, Space::send}}, 30);

  halve_long_messages(schedule, {nodes, 20});

  EXPECT_EQ(sent(schedule, 1), (std::vector<Slice>{{0, 8, Space::send}, {50, 7, Space::scratch}}));
  EXPECT_EQ(sent(schedule, 2), (std::vector<Slice>{{57, 13, Space::scratch}, {90, 2, Space::send}}));
}

TEST(Halve, NothingThatGoesAtOnceOrIsLongerThanTwoSuch) {
  for (const std::int64_t bytes : {1, 20, 41, 1000}) {
    Schedule schedule = two_steps({{0, bytes, Space::send}}, bytes);
    halve_long_messages(schedule, {nodes, 20});
    EXPECT_EQ(schedule.sends.size(), 2U) << bytes;
  }
  Schedule one_node = two_steps({{0, 30, Space::send}}, 30);
  halve_long_messages(one_node, {{}, 20});
  EXPECT_EQ(one_node.sends.size(), 2U);
}

TEST(Halve, NothingThatGoesThroughSharedMemory) {
  Schedule schedule = two_steps({{0, 30, Space::send}}, 30);
  schedule.sends[1].wire = Wire::shared;

  halve_long_messages(schedule, {nodes, 20});

  EXPECT_EQ(schedule.sends.size(), 2U);
}

}  // namespace
}  // namespace rondo::internal
