// All-gathers of one group and between two: what arrives, and what is left alone, is as with MPI_Allgatherv.

#include <algorithm>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

// How many elements a rank of MPI_COMM_WORLD has for the others.
using SizeRule = int (*)(int rank);

int arithmetic(int rank) {
  return 3 * rank;
}
int equal(int) {
  return 12;
}
int empty(int) {
  return 0;
}
int one_has_all(int rank) {
  return rank == 1 ? 5000 : 0;
}
// Together enough for a node to attach, where that is allowed.
int long_ones(int rank) {
  return 400'000 / std::max(1, world_ranks() - 1) + 1000 * rank;
}

// MPI_COMM_WORLD, or its first `first` ranks and the others as the groups of an intercommunicator.
class Groups {
 public:
  explicit Groups(int first = 0) : first_(first), comm_(MPI_COMM_WORLD) {
    if (first == 0) return;
    const int leader_of_others = in_first() ? first : 0;
    MPI_Comm_split(MPI_COMM_WORLD, in_first() ? 0 : 1, world_rank(), &own_);
    MPI_Intercomm_create(own_, 0, MPI_COMM_WORLD, leader_of_others, 7, &comm_);
  }
  ~Groups() {
    free();
    if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
  }
  Groups(const Groups &) = delete;
  Groups &operator=(const Groups &) = delete;

  void free() {
    if (first_ > 0 && comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  // Ranks of MPI_COMM_WORLD from which this one receives.
  [[nodiscard]] std::vector<int> sources() const {
    const int from = first_ > 0 && in_first() ? first_ : 0;
    const int to = first_ > 0 && !in_first() ? first_ : world_ranks();
    std::vector<int> sources;
    for (int rank = from; rank < to; ++rank) sources.push_back(rank);
    return sources;
  }

 private:
  [[nodiscard]] bool in_first() const { return world_rank() < first_; }

  int first_;
  MPI_Comm comm_;
  MPI_Comm own_ = MPI_COMM_NULL;
};

ArgumentSide what_is_sent(SizeRule rule, MPI_Datatype type) {
  return place({rule(world_rank())}, {}, type);
}

ArgumentSide what_is_received(const Groups &groups, SizeRule rule, const Placement &placement, MPI_Datatype type) {
  std::vector<int> counts;
  for (const int source : groups.sources()) counts.push_back(rule(source));
  return place(std::move(counts), placement, type);
}

// One all-gather by Rondo and by MPI.
class Gathering {
 public:
  Gathering(const Groups &groups, SizeRule rule, const Placement &placement = {}, MPI_Datatype send_type = MPI_INT,
            MPI_Datatype receive_type = MPI_INT)
      : comm_(groups.comm()),
        send(what_is_sent(rule, send_type)),
        receive(what_is_received(groups, rule, placement, receive_type)),
        send_buffer(send),
        receive_buffer(receive) {}

  void send_in_place() { in_place_ = true; }

  int init(RONDO_Request *request, const Hints &hints) {
    return RONDO_Allgatherv_init(send_base(), send.counts[0], send.type, receive_buffer.base(), receive.counts.data(),
                                 receive.displacements.data(), receive.type, comm_, hints.info(), request);
  }
  Request plan(const Hints &hints) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    detail::check(init(&request, hints));
    return Request(request);
  }

  void expect_restarts(Request &plan) {
    for (int round = 0; round < 3; ++round) {
      const auto seed = static_cast<std::uint32_t>(1000 * round + world_rank());
      send_buffer.fill(seed);
      receive_buffer.fill(seed + 500);
      GuardedBuffer expected = receive_buffer;
      const GuardedBuffer sent = send_buffer;
      MPI_Allgatherv(send_base(), send.counts[0], send.type, expected.base(), receive.counts.data(),
                     receive.displacements.data(), receive.type, comm_);
      plan.run();
      EXPECT_EQ(receive_buffer.difference(expected), "") << "receive buffer in round " << round;
      EXPECT_EQ(send_buffer.difference(sent), "") << "send buffer in round " << round;
    }
  }

  [[nodiscard]] const void *send_base() { return in_place_ ? MPI_IN_PLACE : send_buffer.base(); }

 private:
  MPI_Comm comm_;
  bool in_place_ = false;

 public:
  ArgumentSide send;
  ArgumentSide receive;
  GuardedBuffer send_buffer;
  GuardedBuffer receive_buffer;
};

struct GatherWay {
  const char *algorithm;
  int radix = 0;
  const char *wire = "auto";
};

Hints by(const GatherWay &way) {
  Hints hints = by(Way{way.algorithm, way.wire});
  if (way.radix > 0) hints.set("rondo_radix", std::to_string(way.radix));
  return hints;
}

void PrintTo(const GatherWay &way, std::ostream *out) {
  *out << way.algorithm << "_" << way.radix << "_" << way.wire;
}

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

class AllgatherBetweenGroupsBy : public testing::TestWithParam<GatherWay> {};
INSTANTIATE_TEST_SUITE_P(, AllgatherBetweenGroupsBy,
                         testing::Values(GatherWay{""}, GatherWay{"native"}, GatherWay{"spread_out"},
                                         GatherWay{"segmented", 1}, GatherWay{"segmented", 2, "packed"},
                                         GatherWay{"balanced", 1, "packed"}, GatherWay{"balanced", 2},
                                         GatherWay{"two_stage", 1}, GatherWay{"two_stage", 2, "packed"},
                                         GatherWay{"root_gathering"}, GatherWay{"root_gathering", 0, "packed"},
                                         GatherWay{"balanced", 2, "datatype"}, GatherWay{"segmented", 3, "mixed"}),
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

TEST(Allgather, OfOneSizeTakesOneCount) {
  std::vector<int> received(static_cast<std::size_t>(world_ranks()) * 2, -1);
  const std::vector<int> sent{world_rank(), 10 * world_rank()};
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Allgather_init(sent.data(), 2, MPI_INT, received.data(), 2, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                 &request),
            MPI_SUCCESS);
  Request plan(request);
  plan.run();
  for (int rank = 0; rank < world_ranks(); ++rank) {
    EXPECT_EQ(received[static_cast<std::size_t>(2 * rank)], rank);
    EXPECT_EQ(received[static_cast<std::size_t>(2 * rank + 1)], 10 * rank);
  }
}

TEST(Allgather, OfOneRankGoesWhereItsDisplacementSays) {
  const int sent = 7;
  std::vector<int> received(4, -1);
  const int count = 1;
  const int displacement = 2;
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Allgatherv_init(&sent, 1, MPI_INT, received.data(), &count, &displacement, MPI_INT, MPI_COMM_SELF,
                                  MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  Request plan(request);
  plan.run();
  EXPECT_EQ(received, (std::vector{-1, -1, 7, -1}));
}

TEST(Allgather, IntoThePlansOwnBuffers) {
  const int count = 100;
  for (const bool in_place : {false, true}) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    ASSERT_EQ(RONDO_Allgather_init(in_place ? MPI_IN_PLACE : RONDO_PLAN_BUFFER, count, MPI_INT, RONDO_PLAN_BUFFER,
                                   count, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              MPI_SUCCESS);
    Request plan(request);
    void *send = nullptr;
    void *receive = nullptr;
    ASSERT_EQ(RONDO_Request_buffers(request, &send, &receive), MPI_SUCCESS);
    const auto *received = static_cast<const int *>(receive);
    for (int round = 0; round < 3; ++round) {
      int *own = in_place ? static_cast<int *>(receive) + world_rank() * count : static_cast<int *>(send);
      std::fill_n(own, count, 100 * round + world_rank());
      plan.run();
      for (int rank = 0; rank < world_ranks(); ++rank) {
        EXPECT_EQ(received[rank * count + count - 1], 100 * round + rank) << "in place " << in_place;
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

TEST(Allgather, RebindsToOtherBuffers) {
  const Groups groups;
  Gathering first(groups, arithmetic);
  Gathering second(groups, arithmetic);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(first.init(&request, {}), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Rebind(&request, second.send_base(), second.receive_buffer.base()), MPI_SUCCESS);
  Request plan(request);
  second.expect_restarts(plan);
}

TEST(Allgather, RebindsInPlace) {
  const Groups groups;
  Gathering first(groups, one_has_all);
  Gathering second(groups, one_has_all);
  first.send_in_place();
  second.send_in_place();
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(first.init(&request, {}), MPI_SUCCESS);
  if (world_ranks() > 1) {
    EXPECT_EQ(RONDO_Rebind(&request, MPI_IN_PLACE, nullptr), RONDO_ERR_BUFFER);
  }
  ASSERT_EQ(RONDO_Rebind(&request, second.send_base(), second.receive_buffer.base()), MPI_SUCCESS);
  Request plan(request);
  second.expect_restarts(plan);
}

TEST(Allgather, OutlivesItsIntercommunicator) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  Groups groups(1);
  std::vector<int> received(8, -1);
  const int sent = world_rank();
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(
      RONDO_Allgather_init(&sent, 1, MPI_INT, received.data(), 1, MPI_INT, groups.comm(), MPI_INFO_NULL, &request),
      MPI_SUCCESS);
  const std::vector<int> sources = groups.sources();
  groups.free();
  Request plan(request);
  plan.run();
  for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(received[i], sources[i]);
}

TEST(Allgather, ReportSaysHowMuchThisRankSends) {
  if (world_ranks() != 3) GTEST_SKIP() << "of three ranks";
  Gathering gathering{Groups(), equal};
  RONDO_Request request = RONDO_REQUEST_NULL;
  Hints hints = by(GatherWay{"dissemination", 1});
  ASSERT_EQ(gathering.init(&request, hints), MPI_SUCCESS);
  RONDO_Report report;
  RONDO_Request_report(request, &report, sizeof(report));
  EXPECT_STREQ(report.algorithm, "dissemination");
  EXPECT_EQ(report.radix, 1);
  EXPECT_EQ(report.steps, 2);
  EXPECT_EQ(report.messages, 2);
  EXPECT_EQ(report.bytes, 2 * 12 * 4);
  RONDO_Request_free(&request);
}

// ---- Refusals ----------------------------------------------------------------------------------------------

TEST(AllgatherRefuses, SizesThatDiffer) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  std::vector<int> received(64);
  std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 2);
  std::vector<int> displacements;
  for (int rank = 0; rank < world_ranks(); ++rank) displacements.push_back(2 * rank);
  const std::vector<int> sent(4);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal =
      refused(RONDO_Allgatherv_init(sent.data(), world_rank() == 1 ? 3 : 2, MPI_INT, received.data(), counts.data(),
                                    displacements.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  EXPECT_EQ(refusal.code, RONDO_ERR_MISMATCH);
  EXPECT_EQ(refusal.message, "rank 0: rank 1 sends 12 bytes to rank 0, which receives 8 bytes");
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
}

TEST(AllgatherRefuses, InPlaceBetweenGroups) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  const Groups groups(1);
  Gathering gathering(groups, equal);
  gathering.send_in_place();
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal = refused(gathering.init(&request, {}));
  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
  EXPECT_EQ(refusal.message, "rank 0: MPI_IN_PLACE has no meaning on an intercommunicator");
}

TEST(AllgatherRefuses, OverlapWithOnesOwnDataInPlace) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  std::vector<int> data(64);
  const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 2);
  std::vector<int> displacements;
  for (int rank = 0; rank < world_ranks(); ++rank) displacements.push_back(rank == 1 ? 0 : 2 * rank);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal =
      refused(RONDO_Allgatherv_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.data(), counts.data(),
                                    displacements.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  EXPECT_EQ(refusal.code, RONDO_ERR_OVERLAP);
}

TEST(AllgatherRefuses, NegativeCountOfOneRank) {
  std::vector<int> received(64);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal =
      refused(RONDO_Allgather_init(received.data(), world_rank() == 0 ? -3 : 1, MPI_INT, received.data() + 8, 1,
                                   MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  EXPECT_EQ(refusal.code, RONDO_ERR_COUNT);
  EXPECT_EQ(refusal.message, "rank 0: the send count is negative: -3");
}

TEST(AllgatherRefuses, AlgorithmsOfAnotherKind) {
  Gathering gathering{Groups(), equal};
  RONDO_Request request = RONDO_REQUEST_NULL;
  Refusal refusal = refused(gathering.init(&request, by(GatherWay{"segmented"})));
  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_NE(refusal.message.find("between the two groups"), std::string::npos) << refusal.message;
  refusal = refused(gathering.init(&request, by(GatherWay{"tuna"})));
  EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
  EXPECT_NE(refusal.message.find("there is no algorithm 'tuna' for all-gathers"), std::string::npos) << refusal.message;
}

TEST(AllgatherRefuses, AlltoallBetweenGroups) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  const Groups groups(1);
  std::vector<int> data(16);
  RONDO_Request request = RONDO_REQUEST_NULL;
  EXPECT_EQ(
      RONDO_Alltoall_init(data.data(), 1, MPI_INT, data.data() + 8, 1, MPI_INT, groups.comm(), MPI_INFO_NULL, &request),
      RONDO_ERR_COMM);
}

}  // namespace
}  // namespace rondo
