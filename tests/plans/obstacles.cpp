#include <gtest/gtest.h>

#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

constexpr const char *uniform_algorithms[] = {"basic_bruck", "modified_bruck", "zero_rotation_bruck",
                                              "zero_copy_bruck"};

Case uniform_case(int ranks, std::int64_t bytes = 8) {
  return {.topology = {.ranks = ranks, .node_of = {}}, .smallest_block = bytes, .largest_block = bytes};
}

std::string obstacle_of(std::string_view name, const Case &situation, const Parameters &parameters) {
  return find_algorithm(name)->obstacle(situation, parameters);
}

TEST(Obstacle, ExclusiveOrNeedsAPowerOfTwo) {
  EXPECT_EQ(obstacle_of("exclusive_or", uniform_case(6), {}), "the number of ranks must be a power of two, and is 6");
}

TEST(Obstacle, ExclusiveOrServesPowersOfTwo) {
  for (const int ranks : {1, 2, 4, 64, 16'384}) {
    EXPECT_EQ(obstacle_of("exclusive_or", uniform_case(ranks), {}), "") << ranks;
  }
}

TEST(Obstacle, UniformAlgorithmsNeedOneSize) {
  Case uneven = uniform_case(4);
  uneven.smallest_block = 3;
  uneven.largest_block = 9;

  for (const char *name : uniform_algorithms) {
    EXPECT_EQ(obstacle_of(name, uneven, {.radix = 2}), "all blocks must have the same size, and have 3 to 9 bytes");
  }
}

TEST(Obstacle, UniformAlgorithmsServeEmptyBlocks) {
  for (const char *name : uniform_algorithms) {
    EXPECT_EQ(obstacle_of(name, uniform_case(4, 0), {.radix = 2}), "");
  }
}

TEST(Obstacle, RadixOneIsTooSmall) {
  for (const Algorithm *algorithm : algorithms()) {
    if (!algorithm->takes_radix) continue;
    const Parameters parameters = effective(*algorithm, {.radix = 1}, 8);
    EXPECT_EQ(algorithm->obstacle(uniform_case(8), parameters), "the radix must be at least 2, and is 1")
        << algorithm->name;
  }
}

TEST(Obstacle, NonUniformAlgorithmsServeAllSizes) {
  Case uneven = uniform_case(6);
  uneven.smallest_block = 0;

  for (const char *name : {"native", "linear", "spread_out", "scattered", "pairwise", "padded_bruck", "padded_alltoall",
                           "two_phase_bruck", "irregular_zero_copy_bruck", "sloav", "tuna"}) {
    const Algorithm &algorithm = *find_algorithm(name);
    EXPECT_EQ(algorithm.obstacle(uneven, effective(algorithm, {}, 6)), "") << name;
  }
}

}  // namespace
}  // namespace rondo::internal
