// Every exchange that rondo.hpp plans: what arrives is what was sent, with counts of 32 and of 64 bits, in place, with
// datatypes, among neighbours; and spans that are too short are refused on all ranks.

#include <array>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "tests/mpi/comparison.hpp"

namespace rondo {
namespace {

const auto ranks = [] { return static_cast<std::size_t>(world_ranks()); };

// The element that `from` has for `to` in a round; `to` is -1 where it is for all.
int element(int round, int from, int to) {
  return 10000 * round + 100 * from + to;
}

template <class Call>
std::string refusal_of(Call &&call) {
  try {
    call();
  } catch (const Error &error) {
    return error.what();
  }
  return "nothing was thrown";
}

// One element for each rank in reverse order, as arguments with counts of either type.
template <class Count, class Displacement>
struct Reversed {
  std::vector<Count> counts = std::vector<Count>(ranks(), 1);
  std::vector<Displacement> displacements = std::vector<Displacement>(ranks());
  std::vector<int> elements = std::vector<int>(ranks());

  Reversed() {
    for (std::size_t peer = 0; peer < ranks(); ++peer) {
      displacements[peer] = static_cast<Displacement>(ranks() - 1 - peer);
    }
  }
  int &of(int peer) { return elements[static_cast<std::size_t>(displacements[static_cast<std::size_t>(peer)])]; }

  [[nodiscard]] Side<const int, Count> send() const { return {elements, counts, displacements}; }
  [[nodiscard]] Side<int, Count> receive() { return {elements, counts, displacements}; }
};
using Ints = Reversed<int, int>;
using LargeInts = Reversed<MPI_Count, MPI_Aint>;

template <class Data>
void expect_restarts(Request plan, Data &send, Data &receive) {
  for (int round = 0; round < 2; ++round) {
    for (int peer = 0; peer < world_ranks(); ++peer) send.of(peer) = element(round, world_rank(), peer);
    plan.run();
    for (int peer = 0; peer < world_ranks(); ++peer) EXPECT_EQ(receive.of(peer), element(round, peer, world_rank()));
  }
}

// ---- Alltoall ------------------------------------------------------------------------------------------------

TEST(CppAlltoallv, SidesOfVectorsNeedNoTypes) {
  Ints send;
  LargeInts sent_large;
  Ints receive;
  LargeInts received_large;

  Request plan =
      alltoallv_init(Side{std::span<const int>(send.elements), send.counts, send.displacements},
                     Side{std::span(receive.elements), receive.counts, receive.displacements}, MPI_COMM_WORLD);
  Request large = alltoallv_init(
      Side{std::span<const int>(sent_large.elements), sent_large.counts, sent_large.displacements},
      Side{std::span(received_large.elements), received_large.counts, received_large.displacements}, MPI_COMM_WORLD);

  expect_restarts(std::move(plan), send, receive);
  expect_restarts(std::move(large), sent_large, received_large);
}

TEST(CppAlltoallv, WithIntCounts) {
  Ints send;
  Ints receive;

  expect_restarts(alltoallv_init(send.send(), receive.receive(), MPI_COMM_WORLD), send, receive);
}

TEST(CppAlltoallv, WithLargeCounts) {
  LargeInts send;
  LargeInts receive;

  expect_restarts(alltoallv_init(send.send(), receive.receive(), MPI_COMM_WORLD), send, receive);
}

TEST(CppAlltoallv, InPlace) {
  Ints ints;
  LargeInts large;

  expect_restarts(alltoallv_init(in_place, ints.receive(), MPI_COMM_WORLD), ints, ints);
  expect_restarts(alltoallv_init(in_place, large.receive(), MPI_COMM_WORLD), large, large);
}

TEST(CppAlltoall, InPlace) {
  std::vector<int> data(ranks());
  Request plan = alltoall_init(in_place, std::span(data), MPI_COMM_WORLD);
  for (int peer = 0; peer < world_ranks(); ++peer)
    data[static_cast<std::size_t>(peer)] = element(1, world_rank(), peer);

  plan.run();

  for (int peer = 0; peer < world_ranks(); ++peer) {
    EXPECT_EQ(data[static_cast<std::size_t>(peer)], element(1, peer, world_rank()));
  }
}

TEST(CppAlltoall, OfAsManyElementsAsThePlanIsTold) {
  const std::size_t all = 2 * ranks();
  const std::span<int> of_plan = elements_of_plan<int>(all);

  Request plan = alltoall_init(std::span<const int>(of_plan), of_plan, MPI_COMM_WORLD);
  std::fill_n(plan.send_buffer<int>(), all, element(1, world_rank(), 0));
  plan.run();

  for (std::size_t i = 0; i < all; ++i) {
    EXPECT_EQ(plan.receive_buffer<int>()[i], element(1, static_cast<int>(i / 2), 0));
  }
}

// ---- Alltoallw -------------------------------------------------------------------------------------------------

// The same with displacements in bytes and a type for each rank: ints, or what is as long.
struct Typed {
  LargeInts ints;
  std::vector<MPI_Datatype> types = std::vector<MPI_Datatype>(ranks(), MPI_INT);

  Typed() {
    for (MPI_Aint &displacement : ints.displacements) displacement *= static_cast<MPI_Aint>(sizeof(int));
  }
  int &of(int peer) {
    return ints.elements[static_cast<std::size_t>(ints.displacements[static_cast<std::size_t>(peer)]) / sizeof(int)];
  }
  [[nodiscard]] TypedSide<const void> send() const {
    return {ints.elements.data(), ints.counts, ints.displacements, types};
  }
  [[nodiscard]] TypedSide<void> receive() { return {ints.elements.data(), ints.counts, ints.displacements, types}; }
};

TEST(CppAlltoallw, WithATypeForEachRank) {
  Typed send;
  Typed receive;
  send.types.back() = MPI_FLOAT;
  if (world_rank() + 1 == world_ranks()) std::fill(receive.types.begin(), receive.types.end(), MPI_FLOAT);

  expect_restarts(alltoallw_init(send.send(), receive.receive(), MPI_COMM_WORLD), send, receive);
}

TEST(CppAlltoallw, InPlace) {
  Typed data;

  expect_restarts(alltoallw_init(in_place, data.receive(), MPI_COMM_WORLD), data, data);
}

TEST(CppAlltoallw, SpanOfTypesTooShort) {
  Typed send;
  Typed receive;
  if (world_rank() == 0) receive.types.pop_back();

  const std::string refusal = refusal_of([&] { alltoallw_init(send.send(), receive.receive(), MPI_COMM_WORLD).run(); });

  EXPECT_EQ(refusal, "rank 0: the span of receive types has " + std::to_string(ranks() - 1) +
                         " entries, and there are " + std::to_string(ranks()) + " ranks");
}

// ---- Neighbours --------------------------------------------------------------------------------------------------

// A ring of which every rank sends to the next.
class CppNeighbors : public testing::Test {
 protected:
  CppNeighbors() {
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                   0, &ring);
  }
  ~CppNeighbors() override { MPI_Comm_free(&ring); }

  void expect_arrives(Request plan) {
    for (int round = 0; round < 2; ++round) {
      sent[1] = element(round, world_rank(), next);
      plan.run();
      EXPECT_EQ(received[0], element(round, before, world_rank()));
      EXPECT_EQ(received[1], -1);
    }
  }

  const int next = (world_rank() + 1) % world_ranks();
  const int before = (world_rank() + world_ranks() - 1) % world_ranks();
  MPI_Comm ring = MPI_COMM_NULL;
  std::array<int, 2> sent{};
  std::array<int, 2> received{-1, -1};
};

TEST_F(CppNeighbors, WithLargeCounts) {
  const std::array<MPI_Count, 1> counts{1};
  const std::array<MPI_Aint, 1> second{1};
  const std::array<MPI_Aint, 1> first{0};

  expect_arrives(neighbor_alltoallv_init(LargeSide<const int>{sent, counts, second},
                                         LargeSide<int>{received, counts, first}, ring));
}

TEST_F(CppNeighbors, WithATypeForEach) {
  const std::array<MPI_Count, 1> counts{1};
  const std::array<MPI_Aint, 1> second{sizeof(int)};
  const std::array<MPI_Aint, 1> first{0};
  const std::array types{MPI_INT};

  for (const char *algorithm : {"linear", "tuna", "native"}) {
    expect_arrives(neighbor_alltoallw_init({sent.data(), counts, second, types},
                                           {received.data(), counts, first, types}, ring, by(algorithm)));
    expect_arrives(neighbor_alltoallw_init({sent.data(), counts, second, types},
                                           {received.data(), counts, first, types}, ring,
                                           Hints{{"rondo_algorithm", algorithm}, {"rondo_native", "nonblocking"}}));
  }
}

// The C call with int counts.
TEST_F(CppNeighbors, WithATypeForEachAndIntCounts) {
  const int count = 1;
  const MPI_Aint second = sizeof(int);
  const MPI_Aint first = 0;
  const MPI_Datatype type = MPI_INT;
  RONDO_Request request = RONDO_REQUEST_NULL;

  ASSERT_EQ(RONDO_Neighbor_alltoallw_init(sent.data(), &count, &second, &type, received.data(), &count, &first, &type,
                                          ring, MPI_INFO_NULL, &request),
            MPI_SUCCESS);

  expect_arrives(Request(request));
}

TEST_F(CppNeighbors, SpanOfCountsTooShort) {
  const std::array<MPI_Aint, 1> displacements{0};
  const std::array types{MPI_INT};

  const std::string refusal = refusal_of([&] {
    neighbor_alltoallw_init({sent.data(), {}, displacements, types}, {received.data(), {}, displacements, types}, ring)
        .run();
  });

  EXPECT_EQ(refusal, "rank 0: the span of send counts has 0 entries, and there are 1 destinations");
}

// ---- All-gathers -------------------------------------------------------------------------------------------------

TEST(CppAllgather, OfTwoElementsEach) {
  std::array<int, 2> own{};
  std::vector<int> all(2 * ranks());
  Request plan = allgather_init(std::span<const int>(own), std::span(all), MPI_COMM_WORLD);

  for (int round = 0; round < 2; ++round) {
    own = {element(round, world_rank(), 0), element(round, world_rank(), 1)};
    plan.run();
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i], element(round, static_cast<int>(i / 2), static_cast<int>(i % 2)));
    }
  }
}

TEST(CppAllgather, InPlace) {
  std::vector<int> all(ranks());
  Request plan = allgather_init(in_place, std::span(all), MPI_COMM_WORLD);
  all[static_cast<std::size_t>(world_rank())] = element(1, world_rank(), 0);

  plan.run();

  for (int rank = 0; rank < world_ranks(); ++rank) {
    EXPECT_EQ(all[static_cast<std::size_t>(rank)], element(1, rank, 0));
  }
}

TEST(CppAllgather, OfElementsThatTheRanksCannotShare) {
  if (world_ranks() == 1) GTEST_SKIP() << "one rank shares everything";
  const std::array<char, 1> own{};
  std::vector<char> all(ranks() + 1);

  const std::string refusal =
      refusal_of([&] { allgather_init(std::span<const char>(own), std::span(all), MPI_COMM_WORLD).run(); });

  EXPECT_EQ(refusal, "rank 0: the " + std::to_string(ranks() + 1) + " receive elements cannot be shared equally by " +
                         std::to_string(ranks()) + " ranks");
}

template <class Data>
void expect_gathered(Request plan, int &own, Data &all) {
  for (int round = 0; round < 2; ++round) {
    own = element(round, world_rank(), 0);
    plan.run();
    for (int rank = 0; rank < world_ranks(); ++rank) EXPECT_EQ(all.of(rank), element(round, rank, 0));
  }
}

TEST(CppAllgatherv, WithIntAndLargeCounts) {
  std::array<int, 1> own{};
  Ints ints;
  LargeInts large;
  const std::span<const int> sent(own);

  expect_gathered(allgatherv_init(sent, ints.receive(), MPI_COMM_WORLD), own[0], ints);
  expect_gathered(allgatherv_init(sent, large.receive(), MPI_COMM_WORLD), own[0], large);
}

TEST(CppAllgatherv, InPlace) {
  Ints ints;
  LargeInts large;

  expect_gathered(allgatherv_init(in_place, ints.receive(), MPI_COMM_WORLD), ints.of(world_rank()), ints);
  expect_gathered(allgatherv_init(in_place, large.receive(), MPI_COMM_WORLD), large.of(world_rank()), large);
}

TEST(CppAllgatherv, BlockBeyondTheElements) {
  const std::array<int, 1> own{};
  LargeInts all;
  all.counts[0] = std::numeric_limits<MPI_Count>::max();

  const std::string refusal =
      refusal_of([&] { allgatherv_init(std::span<const int>(own), all.receive(), MPI_COMM_WORLD).run(); });

  EXPECT_TRUE(refusal.starts_with("rank 0: the receive block of rank 0, 9223372036854775807 elements from index "))
      << refusal;
}

// The even ranks to the odd, and back. A refusal reaches all ranks of both groups.
TEST(CppAllgather, BetweenTwoGroups) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is one group";
  const int group = world_rank() % 2;
  MPI_Comm own_group = MPI_COMM_NULL;
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, group, 0, &own_group);
  MPI_Intercomm_create(own_group, 0, MPI_COMM_WORLD, 1 - group, 0, &both);
  int sources = 0;
  ASSERT_EQ(RONDO_Allgather_sources(both, &sources), MPI_SUCCESS);
  const std::array own{element(1, world_rank(), 0)};
  std::vector<int> others(static_cast<std::size_t>(sources));
  std::vector<int> counts(others.size() - (world_rank() == 1 ? 1 : 0), 0);  // one too few on one rank
  const std::vector<int> displacements(others.size(), 0);

  Request plan = allgather_init(std::span<const int>(own), std::span(others), both);
  plan.run();
  const std::string refusal = refusal_of(
      [&] { allgatherv_init(std::span<const int>(own), Side<int>{others, counts, displacements}, both).run(); });

  EXPECT_EQ(sources, group == 0 ? world_ranks() / 2 : (world_ranks() + 1) / 2);
  for (std::size_t i = 0; i < others.size(); ++i) {
    EXPECT_EQ(others[i], element(1, 2 * static_cast<int>(i) + 1 - group, 0));
  }
  EXPECT_NE(refusal.find(": the span of receive counts has "), std::string::npos) << refusal;
  plan = Request();
  MPI_Comm_free(&both);
  MPI_Comm_free(&own_group);
}

}  // namespace
}  // namespace rondo
