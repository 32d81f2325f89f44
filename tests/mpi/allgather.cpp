// All-gathers of one group and between two: what arrives, and what is left alone, is as with MPI_Allgatherv.

#include "tests/mpi/gathering.hpp"

namespace rondo {
namespace {

void expect_all_sizes(const Groups &groups, const GatherWay &way) {
  for (const SizeRule rule : {arithmetic, equal, empty, one_has_all, long_ones}) {
    for (const Placement &placement : {Placement{}, Placement{.first = 5, .gap = 3, .backwards = true}}) {
      // MPICH 4.0 takes no notice of the displacement where there is one rank, and so is no oracle.
      if (world_ranks() == 1 && placement.first != 0) continue;
      Gathering gathering(groups, rule, placement);
      Request plan = gathering.plan(by(way));
      gathering.expect_restarts(plan);
    }
  }
}

class AllgatherInOneGroupBy : public testing::TestWithParam<GatherWay> {};
INSTANTIATE_TEST_SUITE_P(, AllgatherInOneGroupBy,
                         testing::Values(GatherWay{""}, GatherWay{"native"}, GatherWay{"spread_out"},
                                         GatherWay{"dissemination", 1}, GatherWay{"dissemination", 2},
                                         GatherWay{"dissemination", 3, "packed"},
                                         GatherWay{"dissemination", 2, "datatype"},
                                         GatherWay{"spread_out", 0, "mixed"}),
                         testing::PrintToStringParamName());

TEST_P(AllgatherInOneGroupBy, OfAllSizes) {
  expect_all_sizes(Groups(), GetParam());
}

TEST_P(AllgatherInOneGroupBy, InPlace) {
  const Groups groups;
  for (const SizeRule rule : {arithmetic, long_ones}) {
    Gathering gathering(groups, rule, {.first = 2, .gap = 1});
    gathering.send_in_place();
    Request plan = gathering.plan(by(GetParam()));
    gathering.expect_restarts(plan);
  }
}

TEST_P(AllgatherInOneGroupBy, OfElementsWithGaps) {
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  const Groups groups;
  for (const bool in_place : {false, true}) {
    Gathering gathering(groups, arithmetic, {.gap = 1}, every_other, every_other);
    if (in_place) gathering.send_in_place();
    Request plan = gathering.plan(by(GetParam()));
    gathering.expect_restarts(plan);
  }
  MPI_Type_free(&every_other);
}

// Ranks may receive the same blocks by types of their own.
class AllgatherOfOwnTypes : public testing::Test {
 protected:
  // The library makes no piece shorter than the shortest block.
  static int pairs_of(int rank) { return rank == 0 ? 10 : most_pairs; }
  static constexpr int most_pairs = 10'000;

  void SetUp() override {
    MPI_Type_vector(2, 1, 2, MPI_INT, &two_);
    MPI_Type_create_resized(two_, 0, 4 * sizeof(int), &gapped_);
    MPI_Type_commit(&gapped_);
    for (int rank = 0; rank < world_ranks(); ++rank) {
      counts_.push_back(has_gaps_ ? pairs_of(rank) : 2 * pairs_of(rank));
      displacements_.push_back(rank * (has_gaps_ ? 1 : 2) * most_pairs);
    }
    sent_.resize(std::size_t{2} * pairs_of(world_rank()));
    received_.assign(step() * 2 * most_pairs * counts_.size(), -1);
  }
  void TearDown() override {
    MPI_Type_free(&gapped_);
    MPI_Type_free(&two_);
  }

  int init(const char *algorithm, RONDO_Request &request) {
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    if (*algorithm != 0) MPI_Info_set(info, "rondo_algorithm", algorithm);
    const int code =
        RONDO_Allgatherv_init(sent_.data(), static_cast<int>(sent_.size()), MPI_INT, received_.data(), counts_.data(),
                              displacements_.data(), has_gaps_ ? gapped_ : MPI_INT, MPI_COMM_WORLD, info, &request);
    MPI_Info_free(&info);
    return code;
  }

  void expect_a_start(RONDO_Request &request, int salt) {
    for (std::size_t i = 0; i < sent_.size(); ++i) sent_[i] = value(world_rank(), salt, i);
    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (std::size_t i = 0; i < received_.size(); ++i) {
      const std::size_t at = i / step() % (2 * most_pairs);
      const int from = static_cast<int>(i / step() / (2 * most_pairs));
      const bool is_data = i % step() == 0 && at < 2 * static_cast<std::size_t>(pairs_of(from));
      ASSERT_EQ(received_[i], is_data ? value(from, salt, at) : -1) << i;
    }
  }

 private:
  [[nodiscard]] std::size_t step() const { return has_gaps_ ? 2 : 1; }
  static int value(int rank, int salt, std::size_t i) {
    return 1'000'000 * rank + 100'000 * salt + static_cast<int>(i);
  }

  const bool has_gaps_ = world_rank() % 2 == 0;
  MPI_Datatype two_ = MPI_DATATYPE_NULL;
  MPI_Datatype gapped_ = MPI_DATATYPE_NULL;
  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<int> sent_;
  std::vector<int> received_;
};

TEST_F(AllgatherOfOwnTypes, BringsLongBlocks) {
  for (const char *algorithm : {"", "spread_out", "dissemination"}) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    ASSERT_EQ(init(algorithm, request), MPI_SUCCESS);
    for (int salt = 1; salt < 4; ++salt) expect_a_start(request, salt);
    RONDO_Request_free(&request);
  }
}

// The library cuts them by elements.
TEST_F(AllgatherOfOwnTypes, IsNotLeftToMpich) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  const int code = init("native", request);
#if !defined(OPEN_MPI)
  if (world_ranks() > 1) {
    EXPECT_EQ(code, RONDO_ERR_ALGORITHM);
    return;
  }
#endif
  ASSERT_EQ(code, MPI_SUCCESS);
  for (int salt = 1; salt < 4; ++salt) expect_a_start(request, salt);
  RONDO_Request_free(&request);
}

class AllgatherBetweenGroupsBy : public testing::TestWithParam<GatherWay> {};
INSTANTIATE_TEST_SUITE_P(, AllgatherBetweenGroupsBy,
                         testing::Values(GatherWay{""}, GatherWay{"native"}, GatherWay{"spread_out"},
                                         GatherWay{"segmented", 1}, GatherWay{"segmented", 2, "packed"},
                                         GatherWay{"balanced", 1, "packed"}, GatherWay{"balanced", 2},
                                         GatherWay{"two_stage", 1}, GatherWay{"two_stage", 2, "packed"},
                                         GatherWay{"root_gathering"}, GatherWay{"pipelined_root_gathering"},
                                         GatherWay{"root_gathering", 0, "packed"}, GatherWay{"balanced", 2, "datatype"},
                                         GatherWay{"segmented", 3, "mixed"}),
                         testing::PrintToStringParamName());

// Groups of every ratio that these ranks allow, the smaller one first and last.
TEST_P(AllgatherBetweenGroupsBy, OfAllSizes) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  for (int first = 1; first < world_ranks(); ++first) expect_all_sizes(Groups(first), GetParam());
}

TEST_P(AllgatherBetweenGroupsBy, OfElementsWithGaps) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  MPI_Datatype every_other = MPI_DATATYPE_NULL;
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&every_other);
  MPI_Type_commit(&pair);
  for (int first = 1; first < world_ranks(); ++first) {
    const Groups groups(first);
    for (const SizeRule rule : {arithmetic, equal}) {
      Gathering gathering(groups, rule, {.gap = 1}, pair, every_other);
      Request plan = gathering.plan(by(GetParam()));
      gathering.expect_restarts(plan);
    }
  }
  MPI_Type_free(&every_other);
  MPI_Type_free(&pair);
}

}  // namespace
}  // namespace rondo
