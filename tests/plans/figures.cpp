// The exact figures of the papers, computed here by counting, for every number of ranks and every radix. That
// every rank's route has the figures of the outline is proved in routes.cpp.

#include <gtest/gtest.h>

#include "tests/plans/settings.hpp"

namespace rondo::internal {
namespace {

constexpr int most_ranks = 64;

// The pairs (x, z) with 0 < z < r and z r^x < P (TuNA, section III-A).
std::int64_t count_steps(int ranks, int radix) {
  std::int64_t steps = 0;
  for (std::int64_t power = 1; power < ranks; power *= radix) {
    for (std::int64_t z = 1; z < radix; ++z) steps += z * power < ranks ? 1 : 0;
  }
  return steps;
}

// The non-zero digits of 1..P-1 in base r.
std::int64_t count_digits(int ranks, int radix) {
  std::int64_t digits = 0;
  for (int i = 1; i < ranks; ++i) {
    for (int rest = i; rest > 0; rest /= radix) digits += rest % radix != 0 ? 1 : 0;
  }
  return digits;
}

class FiguresOf : public testing::TestWithParam<const Algorithm *> {};

// What travels by digits: with a radix of the caller's, or by binary digits. Not where the digits are of nodes.
std::vector<const Algorithm *> by_digits() {
  std::vector<const Algorithm *> found;
  for (const Algorithm *algorithm : routed_algorithms()) {
    if (algorithm->takes_leaders) continue;
    const bool binary = algorithm->name == "two_phase_bruck" || algorithm->name == "sloav" ||
                        algorithm->name == "irregular_zero_copy_bruck";
    if (algorithm->takes_radix || binary) found.push_back(algorithm);
  }
  return found;
}

int radix_of(const Setting &setting) {
  return setting.parameters.radix > 0 ? setting.parameters.radix : 2;
}

TEST_P(FiguresOf, StepsArePairsOfDigitAndValue) {
  for (const Setting &setting : settings_up_to(*GetParam(), most_ranks)) {
    const Outline outline = GetParam()->outline(setting.topology(), setting.parameters);

    ASSERT_EQ(outline.steps, count_steps(setting.ranks, radix_of(setting))) << describe(setting);
    ASSERT_EQ(outline.messages, outline.steps) << describe(setting);
  }
}

TEST_P(FiguresOf, BlockMovesAreNonZeroDigits) {
  for (const Setting &setting : settings_up_to(*GetParam(), most_ranks)) {
    const Outline outline = GetParam()->outline(setting.topology(), setting.parameters);

    ASSERT_EQ(outline.block_moves, count_digits(setting.ranks, radix_of(setting))) << describe(setting);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, FiguresOf, testing::ValuesIn(by_digits()),
                         [](const auto &instance) { return std::string(instance.param->name); });

TEST(Figures, OfSixtyFourRanksByHand) {
  const Topology topology{.ranks = 64, .node_of = {}};

  const Outline binary = find_algorithm("tuna")->outline(topology, {.radix = 2});
  const Outline octal = find_algorithm("tuna")->outline(topology, {.radix = 8});
  const Outline all = find_algorithm("tuna")->outline(topology, {.radix = 64});

  EXPECT_EQ(std::pair(binary.steps, binary.block_moves), std::pair(6L, 192L));
  EXPECT_EQ(std::pair(octal.steps, octal.block_moves), std::pair(14L, 112L));
  EXPECT_EQ(std::pair(all.steps, all.block_moves), std::pair(63L, 63L));
}

}  // namespace
}  // namespace rondo::internal
