// Data with gaps as runs of bytes: any slice of it is the same bytes as of its packed form, wherever it begins and ends
// and wherever the buffer lies.

#include "wire/run_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

namespace rondo::internal {
namespace {

SideType type_of(std::vector<Extent> runs, std::int64_t extent) {
  SideType type{MPI_BYTE};
  for (const Extent &run : runs) type.shape.size += run.length;
  type.shape.extent = extent;
  type.runs = std::make_shared<const std::vector<Extent>>(std::move(runs));
  return type;
}

SideType dense(std::int64_t bytes, std::int64_t lower_bound) {
  SideType type{MPI_BYTE};
  type.shape = {.size = bytes, .extent = bytes, .true_lower_bound = lower_bound, .true_extent = bytes, .dense = true};
  return type;
}

// Two parts of one peer, elements whose runs are not in ascending order, one that lies backwards, an empty part, and a
// dense one that begins with a gap.
Side side_in(std::vector<std::byte> &memory) {
  Side side;
  side.buffer = memory.data();
  side.ranks = 4;
  side.unit = Side::Unit::bytes;
  side.types = {type_of({{8, 5}, {0, 3}}, 16), dense(7, 2), type_of({{0, 4}, {6, 2}}, -12)};
  side.parts = {{.peer = 0, .count = 3, .displacement = 10, .type = 0},
                {.peer = 0, .count = 2, .displacement = 70, .type = 1},
                {.peer = 1, .count = 0, .displacement = 0, .type = 0},
                {.peer = 2, .count = 1, .displacement = 90, .type = 1},
                {.peer = 3, .count = 4, .displacement = 150, .type = 2}};
  return side;
}

// The data byte by byte, as MPI would pack it.
std::vector<std::byte> packed(const Side &side) {
  std::vector<std::byte> data;
  for (const Part &part : side.parts) {
    const SideType &type = side.types[part.type];
    const std::byte *element = side.address(part);
    for (std::int64_t i = 0; i < part.count; ++i, element += type.shape.extent) {
      const std::vector<Extent> whole{{type.shape.true_lower_bound, type.shape.size}};
      for (const Extent &run : type.runs ? *type.runs : whole) {
        data.insert(data.end(), element + run.offset, element + run.end());
      }
    }
  }
  return data;
}

std::vector<std::byte> gathered(const RunSpace &space, Slice slice) {
  std::vector<Run> runs;
  space.resolve(slice, Home::send, runs);
  std::vector<std::byte> data;
  for (const Run &run : runs) {
    EXPECT_GT(run.length, 0);
    EXPECT_EQ(run.home, Home::send);
    data.insert(data.end(), run.address, run.address + run.length);
  }
  return data;
}

class RunSpaceTest : public testing::Test {
 protected:
  RunSpaceTest() {
    std::mt19937 random(1);
    for (auto *memory : {&here, &there}) {
      for (std::byte &byte : *memory) byte = static_cast<std::byte>(random());
    }
  }
  // All slices there are.
  static void expect_slices(const RunSpace &space, const Side &side) {
    const std::vector<std::byte> all = packed(side);
    for (std::size_t begin = 0; begin <= all.size(); ++begin) {
      for (std::size_t end = begin; end <= all.size(); ++end) {
        const Slice slice{static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin), Space::send};
        const std::vector<std::byte> expected(all.begin() + begin, all.begin() + end);
        ASSERT_EQ(gathered(space, slice), expected) << "from " << begin << " to " << end;
      }
    }
  }

  std::vector<std::byte> here = std::vector<std::byte>(200);
  std::vector<std::byte> there = std::vector<std::byte>(200);
};

TEST_F(RunSpaceTest, AnySliceIsThatOfThePackedData) {
  const Side side = side_in(here);

  expect_slices(RunSpace(side), side);
}

// For whoever knows the buffer by another address, or not yet.
TEST_F(RunSpaceTest, RunsCountFromTheBuffer) {
  Side side = side_in(here);
  side.buffer = nullptr;
  std::vector<std::int64_t> offsets;

  RunSpace(side).for_each_run({0, 13, Space::send}, [&](const Extent &run) { offsets.push_back(run.offset); });

  EXPECT_EQ(offsets, (std::vector<std::int64_t>{18, 10, 34}));
}

TEST_F(RunSpaceTest, FollowsTheBuffer) {
  RunSpace space(side_in(here));

  space.move_to(there.data());

  expect_slices(space, side_in(there));
}

TEST_F(RunSpaceTest, RunsSideBySideAreOne) {
  Side side = side_in(here);
  side.types[0] = type_of({{0, 8}, {8, 8}}, 16);
  std::vector<internal::Run> runs;

  RunSpace(side).resolve({0, 48, Space::send}, Home::receive, runs);

  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].address, here.data() + 10);
  EXPECT_EQ(runs[0].length, 48);
}

// A message of all of the data.
Schedule sending(Wire wire, std::int64_t staging) {
  Schedule schedule;
  schedule.slices = {{0, 1000, Space::send}};
  Transfer message;
  message.count = 1;
  message.bytes = 1000;
  message.wire = wire;
  message.staging = staging;
  schedule.sends = {message};
  return schedule;
}

Side in_runs_of(std::int64_t bytes, std::int64_t number) {
  Side side;
  side.ranks = 1;
  side.types = {type_of({{0, bytes}}, bytes + 8)};
  side.parts = {{.peer = 0, .count = number, .displacement = 0}};
  return side;
}

TEST(RunSpaceServes, LongRunsAndFew) {
  const Schedule shared = sending(Wire::shared, Transfer::in_place);

  EXPECT_TRUE(RunSpace::serves(shared, Space::send, in_runs_of(100, 1000)));
  EXPECT_TRUE(RunSpace::serves(shared, Space::send, in_runs_of(8, 4)));
  EXPECT_FALSE(RunSpace::serves(shared, Space::send, in_runs_of(8, 1000)));
}

TEST(RunSpaceServes, NoTypeOfUnknownRuns) {
  Side unknown = in_runs_of(100, 10);
  unknown.types[0].runs.reset();

  EXPECT_FALSE(RunSpace::serves(sending(Wire::shared, Transfer::in_place), Space::send, unknown));
}

TEST(RunSpaceServes, MessagesOfMpiByWayOfStagingOnly) {
  const Side side = in_runs_of(100, 10);

  EXPECT_TRUE(RunSpace::serves(sending(Wire::packed, 0), Space::send, side));
  EXPECT_FALSE(RunSpace::serves(sending(Wire::packed, Transfer::in_place), Space::send, side));
  EXPECT_TRUE(RunSpace::serves(sending(Wire::packed, Transfer::in_place), Space::receive, side));
}

}  // namespace
}  // namespace rondo::internal
