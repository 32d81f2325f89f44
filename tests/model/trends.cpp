// What the papers have measured at scale, held against the model. TuNA, section V: 512 to 16,384 ranks, 32 on a node,
// blocks of 0 to S bytes. The model has the prices of a cluster: a message takes 10 us to arrive, each further one 1
// us, and a node's network takes 50 GB/s.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/choose.hpp"
#include "model/outline_estimate.hpp"

namespace rondo::internal {
namespace {

constexpr int ranks_of_node = 32;
constexpr std::int64_t kibibyte = 1024;

// So many ranks on a cluster.
class Cluster {
 public:
  explicit Cluster(int ranks) : topology_{.ranks = ranks, .node_of = nodes_of(ranks)}, nodes_(topology_) {}

  [[nodiscard]] int ranks() const { return topology_.ranks; }

  [[nodiscard]] Features features(std::int64_t largest) const {
    Features features;
    features.situation = {topology_, 0, largest};
    features.most_sent = (ranks() - 1) * largest / 2;
    features.most_peers = ranks() - 1;
    features.shares_memory = true;
    features.costs.step = 10e-6;
    features.costs.message = 1e-6;
    features.costs.far_byte = 0.02e-9;
    return features;
  }

  [[nodiscard]] double seconds(const char *name, std::int64_t largest, const Parameters &wished = {}) const {
    const Algorithm &algorithm = *find_algorithm(name);
    const Parameters parameters = effective(algorithm, wished, topology_);
    return estimate_by_outline(algorithm, algorithm.outline(topology_, parameters), features(largest), nodes_.nodes(),
                               crossing_of(algorithm, topology_, nodes_, parameters))
        .seconds;
  }

  [[nodiscard]] double tuna(int radix, std::int64_t largest) const {
    return seconds("tuna", largest, {.radix = radix});
  }

  // Radices from 2 to P, each a quarter more than the one before.
  [[nodiscard]] std::vector<int> radices() const {
    std::vector<int> all;
    for (int radix = 2; radix < ranks(); radix = std::max(radix + 1, radix * 5 / 4)) all.push_back(radix);
    all.push_back(ranks());
    return all;
  }
  [[nodiscard]] int best_radix(std::int64_t largest) const {
    const std::vector<int> all = radices();
    return *std::min_element(all.begin(), all.end(), [&](int a, int b) { return tuna(a, largest) < tuna(b, largest); });
  }

  // With the best radix inside nodes and the best batch between them.
  [[nodiscard]] double hierarchical(Pattern pattern, std::int64_t largest) const {
    double best = INFINITY;
    for (const int radix : {2, 4, 8, ranks_of_node}) {
      for (const int block_count : {1, 32, 1024, 1 << 20}) {
        const Parameters parameters{.radix = radix, .block_count = block_count, .pattern = pattern};
        best = std::min(best, seconds("tuna_hierarchical", largest, parameters));
      }
    }
    return best;
  }

 private:
  static std::vector<int> nodes_of(int ranks) {
    std::vector<int> node_of;
    for (int rank = 0; rank < ranks; ++rank) node_of.push_back(rank / ranks_of_node);
    return node_of;
  }

  Topology topology_;
  NodeIndex nodes_;
};

class Trends : public testing::TestWithParam<int> {
 protected:
  Cluster cluster{GetParam()};
};

// Section V-A: small blocks, up to 512 bytes: time grows with the radix, and the best is around 2.
TEST_P(Trends, TheTimeOfShortBlocksGrowsWithTheRadix) {
  EXPECT_LE(cluster.best_radix(16), 4);
  const int root = static_cast<int>(std::sqrt(cluster.ranks()));
  EXPECT_LT(cluster.tuna(4, 16), cluster.tuna(root, 16));
  double before = cluster.tuna(root, 16);
  for (int radix = 2 * root; radix < cluster.ranks(); radix *= 2) {
    EXPECT_GT(cluster.tuna(radix, 16), 1.2 * before) << "radix " << radix;
    before = cluster.tuna(radix, 16);
  }
}

// Blocks from 512 bytes to 8 KiB: the time is the shape of a U, with the best radix around the root of P.
TEST_P(Trends, TheTimeOfMiddlingBlocksIsLeastNearTheRootOfTheRanks) {
  const double root = std::sqrt(cluster.ranks());
  for (const std::int64_t largest : {4 * kibibyte, 8 * kibibyte}) {
    const int best = cluster.best_radix(largest);
    EXPECT_GT(best, root / 2);
    EXPECT_LT(best, root * 2);
    EXPECT_GT(cluster.tuna(2, largest), 1.5 * cluster.tuna(best, largest));
    EXPECT_GT(cluster.tuna(cluster.ranks(), largest), 1.5 * cluster.tuna(best, largest));
  }
}

// Long blocks, beyond 8 KiB on Polaris and 32 KiB on Fugaku: time falls with the radix, and the best is around P.
TEST_P(Trends, TheTimeOfLongBlocksFallsWithTheRadix) {
  constexpr std::int64_t largest = 64 * kibibyte;
  EXPECT_EQ(cluster.best_radix(largest), cluster.ranks());
  const int root = static_cast<int>(std::sqrt(cluster.ranks()));
  EXPECT_GT(cluster.tuna(2, largest), cluster.tuna(root, largest));
  EXPECT_GT(cluster.tuna(root, largest), cluster.tuna(cluster.ranks(), largest));
}

// "The ideal r increases when S increases."
TEST_P(Trends, TheBestRadixNeverFallsAsBlocksGrow) {
  int before = 2;
  for (std::int64_t largest = 16; largest <= 64 * kibibyte; largest *= 2) {
    const int best = cluster.best_radix(largest);
    EXPECT_GE(best, before) << largest << " bytes";
    before = best;
  }
}

// Section V-C, figure 13: coalesced has the highest performance in all scenarios of up to 2 KiB, and flat TuNA with its
// best radix is ahead of staggered for short blocks (60 times MPI_Alltoallv's against 12 times at most).
TEST_P(Trends, CoalescedIsAheadOfFlatAndOfStaggered) {
  for (const std::int64_t largest : {std::int64_t{16}, std::int64_t{64}, kibibyte, 2 * kibibyte}) {
    const double coalesced = cluster.hierarchical(Pattern::coalesced, largest);
    EXPECT_LT(coalesced, cluster.tuna(cluster.best_radix(largest), largest)) << largest << " bytes";
    EXPECT_LT(coalesced, cluster.hierarchical(Pattern::staggered, largest)) << largest << " bytes";
    EXPECT_LT(coalesced, cluster.seconds("spread_out", largest)) << largest << " bytes";
  }
  EXPECT_LT(cluster.tuna(cluster.best_radix(16), 16), cluster.hierarchical(Pattern::staggered, 16));
}

// Section V-B: at 8,192 ranks coalesced is 17.06 times as fast as staggered for 16 bytes. Staggered is competitive only
// from 8 KiB on, where it sends blocks from where they lie, and then ahead of flat TuNA.
TEST_P(Trends, StaggeredComesCloseForLongBlocks) {
  const auto ratio = [&](std::int64_t largest) {
    return cluster.hierarchical(Pattern::staggered, largest) / cluster.hierarchical(Pattern::coalesced, largest);
  };
  EXPECT_GT(ratio(16), 10);
  EXPECT_GT(ratio(kibibyte), 1.5);
  EXPECT_LT(ratio(16 * kibibyte), 1.1);
  EXPECT_LT(ratio(64 * kibibyte), 1);
  EXPECT_LT(cluster.hierarchical(Pattern::staggered, 8 * kibibyte),
            cluster.tuna(cluster.best_radix(8 * kibibyte), 8 * kibibyte));
}

// What is chosen costs hardly more than any of these, of whose parameters the choice tries some.
TEST_P(Trends, TheChoiceIsAheadOfThePapersAlgorithms) {
  for (const std::int64_t largest : {std::int64_t{16}, kibibyte, 64 * kibibyte}) {
    const double chosen = choose(cluster.features(largest), {}).estimate.seconds;
    EXPECT_LE(chosen, 1.05 * cluster.hierarchical(Pattern::coalesced, largest));
    EXPECT_LE(chosen, cluster.seconds("spread_out", largest));
    EXPECT_LE(chosen, 1.05 * cluster.tuna(cluster.best_radix(largest), largest));
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Trends, testing::Values(512, 2048, 8192, 16384));

}  // namespace
}  // namespace rondo::internal
