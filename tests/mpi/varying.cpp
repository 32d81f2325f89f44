// Plans whose counts come with each start bring what MPI_Alltoall of the counts and MPI_Alltoallv of the data bring.

#include <gtest/gtest.h>
#include <rondo/rondo.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace rondo {
namespace {

int rank_of() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int ranks_of_world() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

using Counts = std::vector<MPI_Count>;

// Elements of a source for a destination in a round.
using CountOf = MPI_Count (*)(std::uint32_t source, std::uint32_t destination, std::uint32_t round);

MPI_Count mixed(std::uint32_t source, std::uint32_t destination, std::uint32_t round) {
  std::uint32_t value = source * 2654435761U + destination * 40503U + round * 97531U;
  value ^= value >> 15;
  value *= 2246822519U;
  value ^= value >> 13;
  return value;
}

struct Distribution {
  const char *name;
  CountOf count_of;
};

constexpr Distribution distributions[] = {
    {"Short", [](std::uint32_t s, std::uint32_t d, std::uint32_t n) { return mixed(s, d, n) % 9; }},
    {"Long", [](std::uint32_t s, std::uint32_t d, std::uint32_t n) { return mixed(s, d, n) % 3000; }},
    {"Empty", [](std::uint32_t, std::uint32_t, std::uint32_t) { return MPI_Count{0}; }},
    {"FewBlocks",
     [](std::uint32_t s, std::uint32_t d, std::uint32_t n) { return mixed(s, d, n) % 5 == 0 ? MPI_Count{7} : 0; }},
    {"EverythingToOne",
     [](std::uint32_t s, std::uint32_t d, std::uint32_t n) { return d == n % 2 ? MPI_Count{50} + s : 0; }},
    {"OneSender", [](std::uint32_t s, std::uint32_t d, std::uint32_t n) { return s == n % 2 ? MPI_Count{40} + d : 0; }},
    {"GrowsAThousandfold",
     [](std::uint32_t s, std::uint32_t d, std::uint32_t n) {
       const MPI_Count few = 1 + (s + 2 * d) % 5;
       return n % 4 == 2 ? few * 1000 : few;
     }},
    {"VeryLong", [](std::uint32_t s, std::uint32_t d,
                    std::uint32_t n) { return (s + d + n) % 2 == 0 ? MPI_Count{70000} : MPI_Count{3}; }},
};

struct Way {
  const char *name;
  Hints hints;
};

const std::vector<Way> &ways() {
  static const std::vector<Way> all = {
      {"Chosen", {}},
      {"DirectByMessages", {{"rondo_algorithm", "spread_out"}, {"rondo_wire", "packed"}}},
      {"DirectOnNodesOfTwo", {{"rondo_algorithm", "spread_out"}, {"rondo_node_size", "2"}}},
      {"Pairwise", {{"rondo_algorithm", "pairwise"}, {"rondo_node_size", "2"}}},
      {"ScatteredByMessages", {{"rondo_algorithm", "scattered"}, {"rondo_block_count", "2"}, {"rondo_wire", "packed"}}},
      {"Tuna", {{"rondo_algorithm", "tuna"}, {"rondo_radix", "2"}}},
      {"TunaByMessages", {{"rondo_algorithm", "tuna"}, {"rondo_radix", "3"}, {"rondo_wire", "packed"}}},
      {"TwoPhaseOnNodesOfTwo", {{"rondo_algorithm", "two_phase_bruck"}, {"rondo_node_size", "2"}}},
      {"Sloav", {{"rondo_algorithm", "sloav"}, {"rondo_wire", "packed"}}},
      {"Hierarchical", {{"rondo_algorithm", "tuna_hierarchical"}, {"rondo_node_size", "2"}}},
      {"Aggregated", {{"rondo_algorithm", "node_aggregated"}, {"rondo_node_size", "3"}}},
      {"Padded", {{"rondo_algorithm", "padded_bruck"}}},
      {"PaddedByMessages", {{"rondo_algorithm", "padded_bruck"}, {"rondo_radix", "3"}, {"rondo_wire", "packed"}}},
      {"PaddedDirect", {{"rondo_algorithm", "padded_alltoall"}, {"rondo_node_size", "2"}}},
      {"SeparatePadded", {{"rondo_algorithm", "padded_bruck"}, {"rondo_metadata", "separate"}}},
      {"SizeFirst", {{"rondo_algorithm", "sloav"}, {"rondo_metadata", "separate"}}},
      {"SizeFirstByMessages", {{"rondo_algorithm", "sloav"}, {"rondo_metadata", "separate"}, {"rondo_wire", "packed"}}},
      {"SeparateMetadata", {{"rondo_algorithm", "tuna"}, {"rondo_metadata", "separate"}}},
      {"SeparateMetadataByMessages",
       {{"rondo_algorithm", "two_phase_bruck"}, {"rondo_metadata", "separate"}, {"rondo_wire", "packed"}}},
  };
  return all;
}

// What this rank sends in a round: blocks in rank order, each element tells whose it is.
struct Outgoing {
  Outgoing(CountOf count_of, std::uint32_t round) {
    const int ranks = ranks_of_world();
    const int rank = rank_of();
    for (int to = 0; to < ranks; ++to) {
      counts.push_back(count_of(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(to), round));
      for (MPI_Count i = 0; i < counts.back(); ++i) {
        elements.push_back(static_cast<std::int64_t>(rank) << 48 | static_cast<std::int64_t>(to) << 40 | round << 20 |
                           i);
      }
    }
  }

  Counts counts;
  std::vector<std::int64_t> elements;
};

// The same by the MPI library.
struct Expected {
  explicit Expected(const Outgoing &sent) {
    const std::size_t ranks = sent.counts.size();
    const std::vector<int> to(sent.counts.begin(), sent.counts.end());
    std::vector<int> from(ranks);
    MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<int> to_displacements(ranks);
    std::vector<int> from_displacements(ranks);
    std::exclusive_scan(to.begin(), to.end(), to_displacements.begin(), 0);
    std::exclusive_scan(from.begin(), from.end(), from_displacements.begin(), 0);
    elements.resize(static_cast<std::size_t>(from_displacements.back() + from.back()));
    MPI_Alltoallv(sent.elements.data(), to.data(), to_displacements.data(), MPI_INT64_T, elements.data(), from.data(),
                  from_displacements.data(), MPI_INT64_T, MPI_COMM_WORLD);
    counts.assign(from.begin(), from.end());
  }

  Counts counts;
  std::vector<std::int64_t> elements;
};

template <class T>
std::vector<T> copy_of(std::span<const T> view) {
  return {view.begin(), view.end()};
}

class VaryingBy : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, VaryingBy, testing::ValuesIn(ways()), [](const auto &way) { return way.param.name; });

TEST_P(VaryingBy, BringsWhatMpiBrings) {
  for (const Distribution &distribution : distributions) {
    VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD, GetParam().hints);
    for (std::uint32_t round = 0; round < 6; ++round) {
      const Outgoing sent(distribution.count_of, round);
      const Expected expected(sent);

      const Received<std::int64_t> received = plan.exchange(sent.elements, sent.counts);

      ASSERT_EQ(copy_of(received.counts()), expected.counts) << distribution.name << ", round " << round;
      ASSERT_EQ(copy_of(received.all()), expected.elements) << distribution.name << ", round " << round;
    }
  }
}

TEST_P(VaryingBy, WhatOneStartHasBroughtStaysDuringTheNext) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD, GetParam().hints);
  const Outgoing first(distributions[0].count_of, 0);
  const Outgoing second(distributions[1].count_of, 1);
  const Expected expected(first);
  const Received<std::int64_t> received = plan.exchange(first.elements, first.counts);

  [[maybe_unused]] const auto later = plan.exchange(second.elements, second.counts);

  EXPECT_EQ(copy_of(received.all()), expected.elements);
}

TEST_P(VaryingBy, PlansRunAtOnceInDifferentOrders) {
  std::vector<VaryingAlltoallv<std::int64_t>> plans;
  std::vector<Outgoing> sent;
  std::vector<Expected> expected;
  for (std::uint32_t i = 0; i < 3; ++i) {
    plans.emplace_back(MPI_COMM_WORLD, GetParam().hints);
    sent.emplace_back(distributions[i == 1 ? 7 : 1].count_of, i);
    expected.emplace_back(sent.back());
  }
  const bool backwards = rank_of() % 2 == 1;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::size_t k = backwards ? plans.size() - 1 - i : i;
    plans[k].start(sent[k].elements, sent[k].counts);
  }

  for (std::size_t i = 0; i < plans.size(); ++i) {
    const std::size_t k = backwards ? i : plans.size() - 1 - i;
    const auto received = plans[k].wait();

    EXPECT_EQ(copy_of(received.all()), expected[k].elements) << k;
  }
}

// Far more than a slot or a ring holds, and in vectors, which are copied.
std::vector<std::vector<std::int64_t>> long_vectors(std::int64_t value) {
  return std::vector(static_cast<std::size_t>(ranks_of_world()), std::vector<std::int64_t>(200'000, value));
}

TEST(VaryingOfVectors, IsCompletedByTheDestructor) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  const bool destroys = rank_of() == 0;
  plan.start(long_vectors(rank_of() + 1));

  if (destroys) {
    const VaryingAlltoallv<std::int64_t> destroyed = std::move(plan);
  } else {
    const auto received = plan.wait();
    for (int from = 0; from < ranks_of_world(); ++from) {
      EXPECT_EQ(std::ranges::count(received.from(from), from + 1), 200'000) << from;
    }
  }
}

TEST(VaryingOfVectors, IsCompletedByAnAssignment) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  VaryingAlltoallv<std::int64_t> other(MPI_COMM_WORLD);
  plan.start(long_vectors(rank_of() + 1));
  other.start(long_vectors(7));
  const auto expect_sevens = [](VaryingAlltoallv<std::int64_t> &exchange) {
    const auto received = exchange.wait();
    for (int from = 0; from < ranks_of_world(); ++from) {
      EXPECT_EQ(std::ranges::count(received.from(from), 7), 200'000) << from;
    }
  };

  if (rank_of() == 0) {
    plan = std::move(other);
    expect_sevens(plan);
  } else {
    const auto received = plan.wait();
    EXPECT_EQ(std::ranges::count(received.from(0), 1), 200'000);
    expect_sevens(other);
  }
}

TEST(VaryingOfVectors, KeepsWhatIsUnderWayWhenAnotherStartIsRefused) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  plan.start(long_vectors(rank_of() + 1));

  EXPECT_THROW(plan.start(long_vectors(9)), RequestError);

  const auto received = plan.wait();
  for (int from = 0; from < ranks_of_world(); ++from) {
    EXPECT_EQ(std::ranges::count(received.from(from), from + 1), 200'000) << from;
  }
}

TEST(VaryingRefuses, NamesOfBuffersWhichAreNoMemory) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  RONDO_Request request = plan.request().native();
  const Counts counts(static_cast<std::size_t>(ranks_of_world()), 1);
  const std::vector<std::int64_t> elements(counts.size(), 3);

  for (void *const name : {MPI_IN_PLACE, RONDO_PLAN_BUFFER}) {
    EXPECT_EQ(RONDO_Start_counts(&request, name, counts.data(), nullptr), RONDO_ERR_BUFFER);
  }
  [[maybe_unused]] const auto received = plan.exchange(elements, counts);
  for (void *const name : {MPI_IN_PLACE, RONDO_PLAN_BUFFER}) {
    EXPECT_EQ(RONDO_Received_into(request, name, ranks_of_world(), nullptr, nullptr), RONDO_ERR_BUFFER);
  }
}

// They do not fit into an address space, nor does what says so reach outside of one.
TEST(VaryingRefuses, ToSpreadWhatWouldReachTooFar) {
  MPI_Datatype wide = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, MPI_Aint{1} << 62, &wide);
  MPI_Type_commit(&wide);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(MPI_INT, wide, MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_SUCCESS);
  const Counts counts(static_cast<std::size_t>(ranks_of_world()), 3);
  const std::vector<int> elements(3 * counts.size());
  ASSERT_EQ(RONDO_Start_counts(&request, elements.data(), counts.data(), nullptr), MPI_SUCCESS);
  ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);

  void *buffer = nullptr;
  EXPECT_EQ(RONDO_Received(request, &buffer, nullptr, nullptr), RONDO_ERR_COUNT);

  RONDO_Request_free(&request);
  MPI_Type_free(&wide);
}

TEST(VaryingRefuses, CountsWhoseSumIsTooLarge) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  const std::vector<std::int64_t> elements(5);
  const Counts counts(static_cast<std::size_t>(ranks_of_world()), std::numeric_limits<MPI_Count>::max());

  EXPECT_THROW(plan.start(elements, counts), BufferError);
}

TEST(Varying, CompletesAmongOtherRequests) {
  VaryingAlltoallv<std::int64_t> varying(MPI_COMM_WORLD);
  std::vector<int> send(static_cast<std::size_t>(ranks_of_world()), rank_of());
  std::vector<int> receive(send.size());
  const Outgoing sent(distributions[1].count_of, 3);
  const Expected expected(sent);
  std::array<Request, 2> both{alltoall_init<int, int>(send, receive, MPI_COMM_WORLD), std::move(varying.request())};
  RONDO_Request handle = both[1].native();
  RONDO_Start_counts(&handle, sent.elements.data(), sent.counts.data(), nullptr);
  both[0].start();

  wait_all(both);

  varying.request() = std::move(both[1]);
  EXPECT_EQ(copy_of(varying.received().all()), expected.elements);
  EXPECT_EQ(receive.back(), ranks_of_world() - 1);
}

TEST(Varying, BlocksMayLieAnywhereInTheSendBuffer) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  const Outgoing sent(distributions[0].count_of, 1);
  const Expected expected(sent);
  std::vector<std::int64_t> elements(sent.elements.size() + 5 * sent.counts.size());
  std::vector<MPI_Aint> displacements(sent.counts.size());
  auto from = sent.elements.begin();
  MPI_Aint at = static_cast<MPI_Aint>(elements.size());
  for (std::size_t to = 0; to < sent.counts.size(); ++to) {
    at -= sent.counts[to] + 5;
    displacements[to] = at;
    std::copy_n(from, sent.counts[to], elements.begin() + at);
    from += sent.counts[to];
  }

  plan.start(elements.data(), sent.counts, displacements);

  EXPECT_EQ(copy_of(plan.wait().all()), expected.elements);
}

// Every second integer of what is sent, and the first two of every three of what is received.
TEST(Varying, TypesMayHaveGaps) {
  MPI_Datatype every_second = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &every_second);
  MPI_Type_commit(&every_second);
  MPI_Datatype two = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Datatype two_of_three = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(two, 0, 3 * sizeof(int), &two_of_three);
  MPI_Type_commit(&two_of_three);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(every_second, two_of_three, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  const int ranks = ranks_of_world();
  const int rank = rank_of();
  for (int round = 0; round < 4; ++round) {
    std::vector<int> send;
    Counts counts;
    for (int to = 0; to < ranks; ++to) {
      counts.push_back(2 * ((rank + to + round) % 3));
      for (MPI_Count i = 0; i < counts.back(); ++i)
        send.insert(send.end(), {100 * rank + 10 * to + static_cast<int>(i), -1});
    }
    ASSERT_EQ(RONDO_Start_counts(&request, send.data(), counts.data(), nullptr), MPI_SUCCESS);
    void *buffer = nullptr;
    Counts received(static_cast<std::size_t>(ranks));
    std::vector<MPI_Aint> displacements(static_cast<std::size_t>(ranks));

    ASSERT_EQ(RONDO_Wait_counts(&request, &buffer, received.data(), displacements.data()), MPI_SUCCESS);

    const int *const elements = static_cast<const int *>(buffer);
    for (int from = 0; from < ranks; ++from) {
      ASSERT_EQ(2 * received[from], 2 * ((rank + from + round) % 3));
      for (MPI_Count i = 0; i < 2 * received[from]; ++i) {
        EXPECT_EQ(elements[3 * (displacements[from] + i / 2) + i % 2], 100 * from + 10 * rank + i);
      }
    }
  }
  RONDO_Request_free(&request);
  MPI_Type_free(&every_second);
  MPI_Type_free(&two_of_three);
  MPI_Type_free(&two);
}

class VaryingCapacity : public testing::Test {
 protected:
  VaryingCapacity() : sent(distributions[1].count_of, 2), expected(sent), plan(MPI_COMM_WORLD) {
    [[maybe_unused]] const auto received = plan.exchange(sent.elements, sent.counts);
  }

  int received_into(std::vector<std::int64_t> &buffer) {
    return RONDO_Received_into(plan.request().native(), buffer.data(), static_cast<MPI_Count>(buffer.size()), nullptr,
                               nullptr);
  }

  Outgoing sent;
  Expected expected;
  VaryingAlltoallv<std::int64_t> plan;
};

TEST_F(VaryingCapacity, MetExactly) {
  std::vector<std::int64_t> buffer(expected.elements.size());

  EXPECT_EQ(received_into(buffer), MPI_SUCCESS);

  EXPECT_EQ(buffer, expected.elements);
}

TEST_F(VaryingCapacity, MissedByOneLosesNothing) {
  std::vector<std::int64_t> buffer(expected.elements.size());
  buffer.back() = -5;
  std::vector<std::int64_t> shorter(buffer.begin(), buffer.end() - 1);

  const int code = received_into(shorter);

  EXPECT_EQ(code, RONDO_ERR_CAPACITY);
  RONDO_Error_values values{};
  RONDO_Error_last(&values, sizeof(values));
  EXPECT_EQ(values.value, static_cast<long long>(expected.elements.size()));
  EXPECT_EQ(values.other, static_cast<long long>(shorter.size()));
  EXPECT_EQ(shorter, std::vector<std::int64_t>(shorter.size()));
  EXPECT_EQ(received_into(buffer), MPI_SUCCESS);
  EXPECT_EQ(buffer, expected.elements);
}

TEST_F(VaryingCapacity, MissedOnOneRankIsThatRanksAffairAlone) {
  std::vector<std::int64_t> buffer(rank_of() == 0 ? 0 : expected.elements.size());

  const int code = received_into(buffer);
  const Received<std::int64_t> later = plan.exchange(sent.elements, sent.counts);

  EXPECT_EQ(code, rank_of() == 0 && !expected.elements.empty() ? RONDO_ERR_CAPACITY : MPI_SUCCESS);
  EXPECT_EQ(copy_of(later.all()), expected.elements);
}

TEST(VaryingRefuses, BadBlocksOfOneRankWhichMayThenSendOthers) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  const Outgoing sent(distributions[0].count_of, 0);
  const Expected expected(sent);
  Counts negative = sent.counts;
  negative.back() = -3;
  if (rank_of() == 0) {
    EXPECT_THROW(plan.start(sent.elements, negative), CountError);
    EXPECT_THROW(plan.start(sent.elements, std::span(sent.counts).first(sent.counts.size() - 1)), BufferError);
    const Counts many(sent.counts.size(), 1000);
    EXPECT_THROW(plan.start(sent.elements, many), BufferError);
  }

  const Received<std::int64_t> received = plan.exchange(sent.elements, sent.counts);

  EXPECT_EQ(copy_of(received.all()), expected.elements);
}

TEST(Varying, TheDisplacementOfNothingMayBeAnything) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  const Counts counts(static_cast<std::size_t>(ranks_of_world()));
  const std::vector<MPI_Aint> displacements(counts.size(), std::numeric_limits<MPI_Aint>::max() - 7);

  plan.start(nullptr, counts, displacements);

  EXPECT_TRUE(plan.wait().all().empty());
}

TEST(VaryingRefuses, BlocksWhoseLengthSeparateMetadataCannotTell) {
  VaryingAlltoallv<char> plan(MPI_COMM_WORLD, {{"rondo_metadata", "separate"}});
  Counts counts(static_cast<std::size_t>(ranks_of_world()));
  counts.front() = MPI_Count{1} << 32;
  const char data = 0;
  const std::vector<MPI_Aint> displacements(counts.size());

  EXPECT_THROW(plan.start(&data, counts, displacements), CountError);  // before anything is read
}

// Rank 0 has sent long before the last of it is taken, a little in each test of rank 1.
TEST(Varying, ARankWhoseDataIsTakenSlowlyDoesNotStall) {
  if (ranks_of_world() == 1) GTEST_SKIP() << "nobody takes";
  VaryingAlltoallv<char> plan(MPI_COMM_WORLD, {{"rondo_stall_timeout", "0.4"}});
  Counts counts(static_cast<std::size_t>(ranks_of_world()));
  if (rank_of() == 0) counts[1] = 4 << 20;
  const std::vector<char> data(static_cast<std::size_t>(counts[1]));
  plan.start(data, counts);
  if (rank_of() == 1) {
    while (!plan.test()) std::this_thread::sleep_for(std::chrono::milliseconds(15));
  } else {
    EXPECT_NO_THROW(static_cast<void>(plan.wait()));
  }
}

TEST(VaryingRefuses, CallsOfTheOtherKindOfPlan) {
  VaryingAlltoallv<std::int64_t> plan(MPI_COMM_WORLD);
  std::vector<int> send(static_cast<std::size_t>(ranks_of_world()));
  std::vector<int> receive(send.size());
  Request fixed = alltoall_init<int, int>(send, receive, MPI_COMM_WORLD);
  const Counts counts(send.size());
  RONDO_Request handle = fixed.native();

  EXPECT_THROW(plan.request().start(), RequestError);
  EXPECT_THROW(plan.request().rebind(send.data(), receive.data()), RequestError);
  EXPECT_THROW(static_cast<void>(plan.request().send_buffer<int>()), RequestError);
  EXPECT_THROW(static_cast<void>(plan.received()), RequestError) << "there has been no start";
  EXPECT_EQ(RONDO_Start_counts(&handle, nullptr, counts.data(), nullptr), RONDO_ERR_REQUEST);
}

TEST(VaryingRefuses, AlgorithmsForBlocksOfOneSizeAndTheLibrarysOwn) {
  for (const char *algorithm : {"native", "zero_rotation_bruck", "none_such"}) {
    const auto make = [&] { VaryingAlltoallv<int> plan(MPI_COMM_WORLD, {{"rondo_algorithm", algorithm}}); };

    EXPECT_THROW(make(), AlgorithmError) << algorithm;
  }
}

TEST(VaryingRefuses, BadTypesOnAllRanks) {
  RONDO_Request request = RONDO_REQUEST_NULL;

  const int code = RONDO_Alltoallv_varying_init(rank_of() == 0 ? MPI_DATATYPE_NULL : MPI_INT, MPI_INT, MPI_COMM_WORLD,
                                                MPI_INFO_NULL, &request);

  EXPECT_EQ(code, RONDO_ERR_TYPE);
  EXPECT_EQ(request, RONDO_REQUEST_NULL);
}

TEST(VaryingRefuses, BlocksThatAreNoWholeNumberOfElements) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_varying_init(MPI_BYTE, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_SUCCESS);
  const Counts counts(static_cast<std::size_t>(ranks_of_world()), 6);
  const std::vector<char> send(6 * counts.size());
  ASSERT_EQ(RONDO_Start_counts(&request, send.data(), counts.data(), nullptr), MPI_SUCCESS);
  void *buffer = nullptr;

  const int code = RONDO_Wait_counts(&request, &buffer, nullptr, nullptr);

  EXPECT_EQ(code, RONDO_ERR_MISMATCH);
  EXPECT_EQ(RONDO_Request_free(&request), MPI_SUCCESS);
}

TEST(VaryingReport, CountsHalfTheMessagesOfSeparateMetadata) {
  VaryingAlltoallv<int> joined(MPI_COMM_WORLD, {{"rondo_algorithm", "tuna"}});
  VaryingAlltoallv<int> separate(MPI_COMM_WORLD, {{"rondo_algorithm", "tuna"}, {"rondo_metadata", "separate"}});

  EXPECT_EQ(2 * joined.request().report().messages, separate.request().report().messages);
  EXPECT_STREQ(joined.request().report().algorithm, "tuna");
}

}  // namespace
}  // namespace rondo
