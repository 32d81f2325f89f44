// The C++ interface: ownership, spans, hints, and exceptions whose members are the offending values.

#include <nlohmann/json.hpp>

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/thrown.hpp"

namespace rondo {
namespace {

// One int from and to every rank.
struct Ring {
  std::vector<int> send = std::vector<int>(static_cast<std::size_t>(world_ranks()));
  std::vector<int> receive = std::vector<int>(static_cast<std::size_t>(world_ranks()), -1);

  [[nodiscard]] Request plan(const Hints &hints = {}) {
    return alltoall_init(std::span<const int>(send), std::span<int>(receive), MPI_COMM_WORLD, hints);
  }
  void fill(int round) {
    for (std::size_t peer = 0; peer < send.size(); ++peer) {
      send[peer] = 10000 * round + 100 * world_rank() + static_cast<int>(peer);
    }
  }
  void expect(int round) const {
    for (std::size_t peer = 0; peer < send.size(); ++peer) {
      EXPECT_EQ(receive[peer], 10000 * round + 100 * static_cast<int>(peer) + world_rank());
    }
  }
};

// ---- Ownership ---------------------------------------------------------------------------------------------

TEST(CppRequest, IsMovedWithItsPlan) {
  Ring ring;
  Request first = ring.plan();
  Request second = std::move(first);
  Request third;

  third = std::move(second);
  ring.fill(1);
  third.run();

  EXPECT_FALSE(first);   // NOLINT(bugprone-use-after-move)
  EXPECT_FALSE(second);  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(third);
  ring.expect(1);
}

TEST(CppRequest, DestructorCompletesAnActivePlan) {
  Ring ring;
  ring.fill(2);

  {
    Request plan = ring.plan(by({"tuna", "packed"}));
    plan.start();
  }

  ring.expect(2);
}

TEST(CppRequest, AssignmentKeepsAnActivePlanUntilItsEnd) {
  Ring ring;
  ring.fill(3);
  Request plan = ring.plan();
  plan.start();

  {
    Request other = std::exchange(plan, Request());
  }

  EXPECT_FALSE(plan);
  ring.expect(3);
}

TEST(CppRequest, EmptyOneCompletesAtOnceAndDoesNotStart) {
  Request empty;

  EXPECT_NO_THROW(empty.wait());
  EXPECT_TRUE(empty.test());
  EXPECT_EQ(thrown<RequestError>([&] { empty.start(); })->code(), RONDO_ERR_REQUEST);
}

TEST(CppRequest, TestLoopEnds) {
  Ring ring;
  ring.fill(4);
  Request plan = ring.plan();

  plan.start();
  while (!plan.test()) {
  }

  ring.expect(4);
}

TEST(CppRequest, ReportAndItsJson) {
  Ring ring;

  const Request plan = ring.plan(by("linear"));

  EXPECT_STREQ(plan.report().algorithm, "linear");
  EXPECT_EQ(nlohmann::json::parse(plan.report_json())["messages"], world_ranks() - 1);
}

// ---- Spans -------------------------------------------------------------------------------------------------

TEST(CppAlltoallv, OfDoubles) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const std::vector<double> send(2 * ranks, 0.5 + world_rank());
  std::vector<double> receive(2 * ranks);
  const std::vector<int> counts(ranks, 2);
  std::vector<int> displacements;
  for (std::size_t peer = 0; peer < ranks; ++peer) displacements.push_back(2 * static_cast<int>(peer));

  Request plan = alltoallv_init(Side<const double>{send, counts, displacements},
                                Side<double>{receive, counts, displacements}, MPI_COMM_WORLD);
  plan.run();

  for (std::size_t i = 0; i < receive.size(); ++i) EXPECT_EQ(receive[i], 0.5 + static_cast<double>(i / 2));
}

TEST(CppAlltoallv, SpanOfCountsTooShort) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const std::vector<char> send(ranks);
  std::vector<char> receive(ranks);
  const std::vector<int> zeros(ranks, 0);
  const std::span<const int> counts(zeros.data(), ranks - (world_rank() == 0 ? 1 : 0));  // on one rank only

  const auto fault = thrown<BufferError>([&] {
    Request plan =
        alltoallv_init(Side<const char>{send, counts, zeros}, Side<char>{receive, zeros, zeros}, MPI_COMM_WORLD);
  });

  EXPECT_EQ(fault->code(), RONDO_ERR_BUFFER);
  EXPECT_EQ(fault->rank(), 0);
  EXPECT_EQ(fault->what(), "rank 0: the span of send counts has " + std::to_string(ranks - 1) +
                               " entries, and there are " + std::to_string(ranks) + " ranks");
}

TEST(CppAlltoallv, SpanOfReceiveDisplacementsTooShort) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const std::vector<char> send(ranks);
  std::vector<char> receive(ranks);
  const std::vector<int> zeros(ranks, 0);

  const auto fault = thrown<BufferError>([&] {
    Request plan = alltoallv_init(Side<const char>{send, zeros, zeros}, Side<char>{receive, zeros, {}}, MPI_COMM_WORLD);
  });

  EXPECT_EQ(fault->what(), "rank 0: the span of receive displacements has 0 entries, and there are " +
                               std::to_string(ranks) + " ranks");
}

TEST(CppAlltoallv, CountsReachBeyondTheElements) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const std::vector<char> send(2 * ranks);
  std::vector<char> receive(2 * ranks - 1);
  const std::vector<int> counts(ranks, 2);
  std::vector<int> displacements;
  for (std::size_t peer = 0; peer < ranks; ++peer) displacements.push_back(2 * static_cast<int>(peer));

  const auto fault = thrown<BufferError>([&] {
    Request plan = alltoallv_init(Side<const char>{send, counts, displacements},
                                  Side<char>{receive, counts, displacements}, MPI_COMM_WORLD);
  });

  EXPECT_EQ(fault->code(), RONDO_ERR_BUFFER);
  EXPECT_EQ(fault->what(), "rank 0: the receive block of rank " + std::to_string(ranks - 1) +
                               ", 2 elements from index " + std::to_string(2 * ranks - 2) + ", does not lie in the " +
                               std::to_string(2 * ranks - 1) + " elements given");
  EXPECT_EQ(fault->peer, world_ranks() - 1);
  EXPECT_EQ(fault->value, 2);
}

TEST(CppAlltoallv, BlockBeforeTheElements) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  const std::vector<char> send(ranks);
  std::vector<char> receive(ranks);
  const std::vector<int> zeros(ranks, 0);
  std::vector<int> counts(ranks, 0);
  std::vector<int> displacements(ranks, 0);
  counts[0] = 1;
  displacements[0] = -1;

  const auto fault = thrown<BufferError>([&] {
    Request plan = alltoallv_init(Side<const char>{send, counts, displacements}, Side<char>{receive, zeros, zeros},
                                  MPI_COMM_WORLD);
  });

  EXPECT_EQ(fault->what(), "rank 0: the send block of rank 0, 1 elements from index -1, does not lie in the " +
                               std::to_string(ranks) + " elements given");
}

TEST(CppAlltoall, ElementsThatTheRanksCannotShare) {
  const auto ranks = static_cast<std::size_t>(world_ranks());
  if (ranks == 1) GTEST_SKIP() << "one rank shares everything";
  const std::vector<char> send(2 * ranks - 1);
  std::vector<char> receive(2 * ranks);

  const auto fault = thrown<CountError>(
      [&] { Request plan = alltoall_init(std::span<const char>(send), std::span<char>(receive), MPI_COMM_WORLD); });

  EXPECT_EQ(fault->code(), RONDO_ERR_COUNT);
  EXPECT_EQ(fault->what(), "rank 0: the " + std::to_string(2 * ranks - 1) +
                               " send elements cannot be shared equally by " + std::to_string(ranks) + " ranks");
  EXPECT_EQ(fault->value, static_cast<long long>(2 * ranks - 1));
}

// ---- Hints -------------------------------------------------------------------------------------------------

TEST(CppHints, AreCopiedAndMoved) {
  Ring ring;
  Hints hints{{"rondo_algorithm", "linear"}};
  const Hints copy = hints;

  hints.set("rondo_algorithm", "pairwise");
  const Hints moved = std::move(hints);

  EXPECT_STREQ(ring.plan(copy).report().algorithm, "linear");
  EXPECT_STREQ(ring.plan(moved).report().algorithm, "pairwise");
  EXPECT_EQ(Hints().info(), MPI_INFO_NULL);
}

// ---- Exceptions --------------------------------------------------------------------------------------------

TEST(CppError, CountErrorHasPeerAndCount) {
  Comparison comparison = Comparison::of(varied);
  const int last = world_ranks() - 1;
  if (world_rank() == last) comparison.send.counts[0] = -7;

  const auto error = thrown<CountError>([&] { Request plan = comparison.plan(); });

  EXPECT_EQ(error->code(), RONDO_ERR_COUNT);
  EXPECT_EQ(error->rank(), last);
  EXPECT_EQ(error->peer, 0);
  EXPECT_EQ(error->value, -7);
  EXPECT_EQ(error->what(), "rank " + std::to_string(last) + ": the send count for rank 0 is negative: -7");
}

TEST(CppError, BufferErrorHasPeerAndCount) {
  const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 4);
  const std::vector<int> displacements(counts.size(), 0);
  const std::vector<int> zeros(counts.size(), 0);

  const auto error = thrown<BufferError>([&] {
    RONDO_Request request = RONDO_REQUEST_NULL;
    int nothing = 0;
    detail::check(RONDO_Alltoallv_init(nullptr, counts.data(), displacements.data(), MPI_INT, &nothing, zeros.data(),
                                       zeros.data(), MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  });

  EXPECT_EQ(error->code(), RONDO_ERR_BUFFER);
  EXPECT_EQ(error->peer, 0);
  EXPECT_EQ(error->value, 4);
}

TEST(CppError, OverlapErrorHasBothPeersAndTheFirstSharedByte) {
  if (world_ranks() == 1) GTEST_SKIP() << "one range overlaps no other";
  Comparison comparison = Comparison::of(three);
  comparison.receive.displacements[1] = 2;

  const auto error = thrown<OverlapError>([&] { Request plan = comparison.plan(); });

  EXPECT_EQ(error->peer, 0);
  EXPECT_EQ(error->other_peer, 1);
  EXPECT_EQ(error->offset, 2 * static_cast<int>(sizeof(int)));
}

TEST(CppError, MismatchErrorHasBothSizes) {
  if (world_ranks() == 1) GTEST_SKIP() << "a mismatch with oneself is another one";
  Comparison comparison = Comparison::of(three);
  if (world_rank() == 1) comparison.receive.counts[0] = 2;

  const auto error = thrown<MismatchError>([&] { Request plan = comparison.plan({{"rondo_validate", "1"}}); });

  EXPECT_EQ(error->source, 0);
  EXPECT_EQ(error->rank(), 1);
  EXPECT_EQ(error->sent, 12);
  EXPECT_EQ(error->expected, 8);
}

TEST(CppError, MemoryErrorHasNeedAndLimit) {
  if (world_ranks() < 4) GTEST_SKIP() << "nothing rests on three ranks";
  Comparison comparison = Comparison::of(three);

  const auto error = thrown<MemoryError>([&] {
    Request plan = comparison.plan({{"rondo_algorithm", "tuna"}, {"rondo_radix", "2"}, {"rondo_scratch_limit", "3"}});
  });

  EXPECT_GT(error->needed, 3);
  EXPECT_EQ(error->limit, 3);
}

TEST(CppError, OneTypeForEachKind) {
  Comparison comparison = Comparison::of(three);

  EXPECT_THROW(static_cast<void>(comparison.plan({{"rondo_nonsense", "1"}})), HintError);
  EXPECT_THROW(static_cast<void>(comparison.plan(by("no_such_algorithm"))), AlgorithmError);
  EXPECT_THROW(static_cast<void>(Comparison(sends(three), receives(three), MPI_COMM_NULL).plan()), CommunicatorError);
  comparison.send.type = MPI_DATATYPE_NULL;
  EXPECT_THROW(static_cast<void>(comparison.plan()), DatatypeError);
  EXPECT_THROW(static_cast<void>(comparison.plan()), Error);
}

}  // namespace
}  // namespace rondo
