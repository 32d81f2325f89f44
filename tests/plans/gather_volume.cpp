// How much the algorithms for all-gathers move, against the bounds and ratios of Kang 2019.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/volume.hpp"
#include "tests/plans/gathers.hpp"

namespace rondo::internal {
namespace {

struct Counted {
  Counted(const char *name, const Topology &topology, const std::vector<std::int64_t> &bytes, int radix = 1) {
    const BySegments &gather = *find_algorithm(name, all_gather)->by_segments;
    const Cut cut = gather.cut(topology, bytes);
    std::vector<Route> routes;
    for (int rank = 0; rank < topology.ranks; ++rank) {
      routes.push_back(gather.route(rank, topology, {.radix = radix}, cut));
    }
    volume = volume_of(routes, topology, cut);
    stages = gather.stages(topology, {.radix = radix});
  }

  [[nodiscard]] double in_turn() const { return static_cast<double>(bytes_in_turn(volume, stages)); }

  Volume volume;
  std::vector<Stage> stages;
};

// The data of both groups; each rank must receive one of the two.
struct Totals {
  Totals(const Topology &topology, const std::vector<std::int64_t> &bytes)
      : first(std::accumulate(bytes.begin(), bytes.begin() + topology.second_group, std::int64_t{0})),
        second(std::accumulate(bytes.begin() + topology.second_group, bytes.end(), std::int64_t{0})) {}

  [[nodiscard]] std::int64_t larger() const { return std::max(first, second); }  // M

  std::int64_t first;
  std::int64_t second;
};

// Theorem 1: M + k_B, where B is the smaller group.
TEST(GatherVolume, OfSegmentedIsAtMostTheBound) {
  for (int p = 1; p <= 24; ++p) {
    for (int q = 1; q <= p; ++q) {
      for (const auto &[k_a, k_b] : {std::pair{60L, 60L}, std::pair{7L, 61L}, std::pair{100L, 9L}, std::pair{1L, 1L}}) {
        const Topology topology = groups_of(p, q);
        std::vector<std::int64_t> bytes(static_cast<std::size_t>(p), k_a);
        bytes.resize(static_cast<std::size_t>(p + q), k_b);
        const std::int64_t bound = Totals(topology, bytes).larger() + k_b;
        const Volume volume = Counted("segmented", topology, bytes).volume;
        ASSERT_LE(volume.sent, bound) << p << ", " << q << ", " << k_a << ", " << k_b;
      }
    }
  }
}

// Theorem 3: M + max k.
TEST(GatherVolume, OfBalancedIsAtMostTheBound) {
  for (const GatherSizes &sizes : gather_sizes()) {
    for (int p = 1; p <= 16; ++p) {
      for (int q = 1; q <= 16; ++q) {
        const Topology topology = groups_of(p, q);
        const std::vector<std::int64_t> bytes = bytes_of(sizes, p + q);
        const std::int64_t bound = Totals(topology, bytes).larger() + *std::max_element(bytes.begin(), bytes.end());
        const Counted counted("balanced", topology, bytes);
        ASSERT_LE(counted.volume.sent, bound) << sizes.name << ": " << p << ", " << q;
        // Parts differ by a byte, and each step of the ring counts as that with the larger one.
        ASSERT_LE(counted.in_turn(), static_cast<double>(bound + std::max(p, q)))
            << sizes.name << ": " << p << ", " << q;
      }
    }
  }
}

// A log-time all-gather sends a rank's own segments several times, which counts where segments differ.
TEST(GatherVolume, OfBalancedInLogTimeIsNearlyAtMostTheBound) {
  for (int p = 1; p <= 16; ++p) {
    for (int q = 1; q <= 16; ++q) {
      const Topology topology = groups_of(p, q);
      const std::vector<std::int64_t> bytes =
          bytes_of({"", [](int rank) -> std::int64_t { return 100L * rank; }}, p + q);
      const std::int64_t bound = Totals(topology, bytes).larger() + *std::max_element(bytes.begin(), bytes.end());
      ASSERT_LE(Counted("balanced", topology, bytes, 2).volume.sent, bound + std::max(p, q)) << p << ", " << q;
    }
  }
}

// Theorem 1 holds for the log-time all-gather of Bruck too where q divides p. Else some ranks of the smaller group
// carry one more rank's data than others, and those in between send it more often: at most as if all carried as much.
TEST(GatherVolume, OfSegmentedInLogTimeIsAtMostTheBoundOfFullCarriers) {
  for (int p = 1; p <= 24; ++p) {
    for (int q = 1; q <= p; ++q) {
      const Topology topology = groups_of(p, q);
      const std::vector<std::int64_t> bytes(static_cast<std::size_t>(p + q), 840);
      const std::int64_t full = (p + q - 1) / q * q * 840L;
      ASSERT_LE(Counted("segmented", topology, bytes, 2).volume.sent, full + 840) << p << ", " << q;
      if (p % q == 0) {
        ASSERT_EQ(full, Totals(topology, bytes).larger());
      }
    }
  }
}

struct KangSetting {
  int number;
  const char *algorithm;
  int p_share, q_share;  // of 32
  std::int64_t k_a, k_b;
  bool arithmetic;
  double ratio;
};

class KangSettings : public testing::TestWithParam<KangSetting> {};

// Section 5, equation 5: limits for many ranks, here on 512. The tree of root_gathering counts as what its root
// receives, as in the paper: with uneven sizes its steps are not equally long.
double time_of_root_gathering(const Topology &topology, const std::vector<std::int64_t> &bytes,
                              const char *name = "root_gathering") {
  const Counted counted(name, topology, bytes);
  const std::int64_t tree = bytes_in_turn(counted.volume, std::span(counted.stages).first(1));
  return static_cast<double>(Totals(topology, bytes).larger() - tree) + counted.in_turn();
}

std::vector<std::int64_t> bytes_of(const KangSetting &setting, const Topology &topology) {
  std::vector<std::int64_t> bytes;
  for (int rank = 0; rank < topology.ranks; ++rank) {
    const bool in_first = rank < topology.second_group;
    const int index = in_first ? rank : rank - topology.second_group;
    const std::int64_t unit = in_first ? setting.k_a : setting.k_b;
    bytes.push_back(setting.arithmetic ? (index + 1) * unit : unit);
  }
  return bytes;
}

TEST_P(KangSettings, RatioToRootGatheringIsThePapers) {
  const KangSetting &setting = GetParam();
  const Topology topology = groups_of(16 * setting.p_share, 16 * setting.q_share);
  const std::vector<std::int64_t> bytes = bytes_of(setting, topology);
  const double root = time_of_root_gathering(topology, bytes);
  const Counted counted(setting.algorithm, topology, bytes);
  const double by_bytes = root / static_cast<double>(std::max(counted.volume.sent, counted.volume.received));
  const double in_turn = root / counted.in_turn();
  const double balanced = root / Counted("balanced", topology, bytes).in_turn();
  std::printf("setting %d: %s %.2f by the busiest rank's bytes, %.2f step by step (balanced %.2f); Kang 2019 %.2f\n",
              setting.number, setting.algorithm, by_bytes, in_turn, balanced, setting.ratio);
  EXPECT_NEAR(by_bytes / setting.ratio, 1, 0.02);
  EXPECT_NEAR(balanced / setting.ratio, 1, 0.03);
}

// Equation 1: the best form of root gathering takes three times the lower bound, up to the pipeline's first steps.
TEST_P(KangSettings, BestRootGatheringTakesThreeTimesTheBound) {
  const KangSetting &setting = GetParam();
  const Topology topology = groups_of(16 * setting.p_share, 16 * setting.q_share);
  const std::vector<std::int64_t> bytes = bytes_of(setting, topology);
  const double best = time_of_root_gathering(topology, bytes, "pipelined_root_gathering");
  const double ratio = best / static_cast<double>(Totals(topology, bytes).larger());
  std::printf("setting %d: pipelined_root_gathering takes %.2f times the lower bound; Kang 2019 3\n", setting.number,
              ratio);
  EXPECT_NEAR(ratio / 3, 1, 0.03);
}

INSTANTIATE_TEST_SUITE_P(Kang, KangSettings,
                         testing::Values(KangSetting{1, "segmented", 16, 16, 4096, 4096, false, 7.0},
                                         KangSetting{2, "segmented", 25, 7, 4096, 4096, false, 4.84},
                                         KangSetting{3, "segmented", 25, 7, 16384, 4096, false, 4.21},
                                         KangSetting{4, "segmented", 25, 7, 4096, 16384, false, 6.68},
                                         KangSetting{5, "balanced", 16, 16, 4096, 4096, false, 7.0},
                                         KangSetting{6, "balanced", 16, 16, 64, 64, true, 7.0},
                                         KangSetting{7, "balanced", 25, 7, 4096, 4096, false, 4.84},
                                         KangSetting{8, "balanced", 25, 7, 64, 229, true, 4.84}),
                         [](const auto &instance) { return "Setting" + std::to_string(instance.param.number); });

}  // namespace
}  // namespace rondo::internal
