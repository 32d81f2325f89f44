// All-to-alls on an intercommunicator: every rank exchanges with those of the other group.

#include <functional>
#include <numeric>

#include "tests/mpi/gathering.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

struct Way {
  const char *algorithm;  // empty: the choice
  const char *key = "rondo_wire";
  const char *value = "auto";
};

void PrintTo(const Way &way, std::ostream *out) {
  *out << (*way.algorithm == 0 ? "chosen" : way.algorithm) << '_' << way.key << '_' << way.value;
}

// Ranks of MPI_COMM_WORLD; no two pairs of a run have the same data.
int count_of(int source, int destination, int unit) {
  return unit * ((3 * source + 5 * destination) % 4);
}
int element_of(int source, int destination, int index, int round) {
  return 1'000'000 * round + 10'000 * source + 100 * destination + index % 97;
}

// One side of the exchange, with an int that nobody may touch after each block.
class BlocksOf {
 public:
  BlocksOf(const std::vector<int> &peers, const std::function<int(int peer)> &count) : peers_(peers) {
    for (const int peer : peers) {
      displacements.push_back(static_cast<int>(elements.size()));
      counts.push_back(count(peer));
      elements.resize(elements.size() + static_cast<std::size_t>(counts.back()) + 1, untouched);
    }
    for (const int displacement : displacements) byte_displacements.push_back(4 * displacement);
    types.assign(peers.size(), MPI_INT);
  }

  template <class Element>
  void fill(Element &&element) {
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      for (int j = 0; j < counts[i]; ++j) elements[displacements[i] + j] = element(peers_[i], j);
    }
  }
  template <class Element>
  void expect(Element &&element) const {
    for (std::size_t i = 0; i < peers_.size(); ++i) {
      for (int j = 0; j < counts[i]; ++j) {
        ASSERT_EQ(elements[displacements[i] + j], element(peers_[i], j)) << "from " << peers_[i] << ", " << j;
      }
      ASSERT_EQ(elements[displacements[i] + counts[i]], untouched) << "after the block of " << peers_[i];
    }
  }

  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<int> byte_displacements;
  std::vector<MPI_Datatype> types;
  std::vector<int> elements;

 private:
  static constexpr int untouched = -7;
  std::vector<int> peers_;
};

// The exchange of one pair of groups, three times.
template <class Init>
void expect_exchanges(const Groups &groups, const std::function<int(int, int)> &count, Init &&init) {
  const std::vector<int> peers = groups.sources();
  const int own = world_rank();
  BlocksOf send(peers, [&](int peer) { return count(own, peer); });
  BlocksOf receive(peers, [&](int peer) { return count(peer, own); });
  RONDO_Request request = RONDO_REQUEST_NULL;
  const Refusal refusal = refused(init(send, receive, &request));
  ASSERT_EQ(refusal.code, MPI_SUCCESS) << refusal.message;
  for (int round = 1; round <= 3; ++round) {
    send.fill([&](int peer, int index) { return element_of(own, peer, index, round); });
    receive.fill([](int, int) { return 0; });
    ASSERT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    ASSERT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    receive.expect([&](int peer, int index) { return element_of(peer, own, index, round); });
  }
  RONDO_Request_free(&request);
}

class AlltoallBetweenGroups : public testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
    if (*GetParam().algorithm != 0) hints_.set("rondo_algorithm", GetParam().algorithm);
    hints_.set(GetParam().key, GetParam().value);
  }
  [[nodiscard]] MPI_Info info() const { return hints_.info(); }

 private:
  Hints hints_;
};

INSTANTIATE_TEST_SUITE_P(
    , AlltoallBetweenGroups,
    testing::Values(Way{""}, Way{"native"}, Way{"native", "rondo_native", "nonblocking"}, Way{"linear"},
                    Way{"spread_out", "rondo_wire", "packed"}, Way{"scattered"}, Way{"pairwise"}, Way{"padded_bruck"},
                    Way{"padded_alltoall"}, Way{"two_phase_bruck"}, Way{"two_phase_bruck", "rondo_wire", "datatype"},
                    Way{"irregular_zero_copy_bruck"}, Way{"sloav", "rondo_wire", "packed"}, Way{"tuna"},
                    Way{"tuna", "rondo_validate", "1"}, Way{"tuna_hierarchical", "rondo_node_size", "2"},
                    Way{"node_aggregated", "rondo_node_size", "2"}, Way{"tuna_explicit", "rondo_node_size", "2"}),
    testing::PrintToStringParamName());

TEST_P(AlltoallBetweenGroups, OfCounts) {
  for (int first = 1; first < world_ranks(); ++first) {
    const Groups groups(first);
    for (const int unit : {0, 1, 6000}) {
      expect_exchanges(
          groups, [&](int source, int destination) { return count_of(source, destination, unit); },
          [&](BlocksOf &send, BlocksOf &receive, RONDO_Request *request) {
            return RONDO_Alltoallv_init(send.elements.data(), send.counts.data(), send.displacements.data(), MPI_INT,
                                        receive.elements.data(), receive.counts.data(), receive.displacements.data(),
                                        MPI_INT, groups.comm(), info(), request);
          });
    }
  }
}

TEST_P(AlltoallBetweenGroups, OfTypes) {
  for (int first = 1; first < world_ranks(); ++first) {
    const Groups groups(first);
    expect_exchanges(
        groups, [](int source, int destination) { return count_of(source, destination, 3); },
        [&](BlocksOf &send, BlocksOf &receive, RONDO_Request *request) {
          return RONDO_Alltoallw_init(send.elements.data(), send.counts.data(), send.byte_displacements.data(),
                                      send.types.data(), receive.elements.data(), receive.counts.data(),
                                      receive.byte_displacements.data(), receive.types.data(), groups.comm(), info(),
                                      request);
        });
  }
}

// Blocks of one size: an int, and the one that nobody touches is a part of the block here.
TEST(AlltoallOfOneSizeBetweenGroups, IsThatOfMpi) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  for (int first = 1; first < world_ranks(); ++first) {
    const Groups groups(first);
    const std::vector<int> peers = groups.sources();
    std::vector<int> sent(2 * peers.size());
    std::iota(sent.begin(), sent.end(), 1000 * world_rank());
    std::vector<int> received(sent.size(), -1);
    std::vector<int> expected(sent.size(), -1);

    Request plan = alltoall_init(std::span<const int>(sent), std::span<int>(received), groups.comm());
    plan.run();
    MPI_Alltoall(sent.data(), 2, MPI_INT, expected.data(), 2, MPI_INT, groups.comm());

    EXPECT_EQ(received, expected);
  }
}

TEST(AlltoallBetweenGroupsRefuses, ExchangesInPlace) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  const Groups groups(1);
  std::vector<int> received(static_cast<std::size_t>(world_ranks()));
  RONDO_Request request = RONDO_REQUEST_NULL;

  const Refusal refusal = refused(RONDO_Alltoall_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received.data(), 1, MPI_INT,
                                                      groups.comm(), MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
  EXPECT_EQ(refusal.message, "rank 0: MPI_IN_PLACE has no meaning on an intercommunicator");
}

// Rank 0 of the first group expects an element more than rank 0 of the second sends.
TEST(AlltoallBetweenGroupsRefuses, CountsThatDiffer) {
  if (world_ranks() < 2) GTEST_SKIP() << "there is one rank";
  const Groups groups(1);
  const auto peers = groups.sources().size();
  std::vector<int> buffer(2 * peers + 2);
  const std::vector<int> zeros(peers, 0);
  std::vector<int> counts(peers, 0);
  if (world_rank() == 0) counts.front() = 1;
  Hints hints;
  hints.set("rondo_validate", "1");
  RONDO_Request request = RONDO_REQUEST_NULL;

  const Refusal refusal =
      refused(RONDO_Alltoallv_init(buffer.data(), zeros.data(), zeros.data(), MPI_INT, &buffer[peers], counts.data(),
                                   zeros.data(), MPI_INT, groups.comm(), hints.info(), &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_MISMATCH) << refusal.message;
}

}  // namespace
}  // namespace rondo
