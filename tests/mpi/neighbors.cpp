// RONDO_Neighbor_alltoallv_init on every kind of topology. The expected result is made with messages whose tags say
// which block they are, by the rules of MPI-4.0, section 8.6: libraries have had them wrong.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <rondo/rondo.hpp>
#include <vector>

#include "tests/mpi/refusal.hpp"
#include "tests/mpi/session.hpp"

namespace rondo {
namespace {

// One side of a neighbourhood: by entry the neighbour, and the label of its block, which both ends know.
struct Entries {
  std::vector<int> neighbors;
  std::vector<int> labels;

  [[nodiscard]] int size() const { return static_cast<int>(neighbors.size()); }
};

struct Neighborhood {
  MPI_Comm comm = MPI_COMM_NULL;
  Entries sources;
  Entries destinations;

  ~Neighborhood() {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
};

// Two entries a dimension; what is sent in one direction arrives from the other.
void make_grid(Neighborhood &made, std::vector<int> lengths, const std::vector<int> &periodic) {
  const int dimensions = static_cast<int>(lengths.size());
  MPI_Dims_create(world_ranks(), dimensions, lengths.data());
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, lengths.data(), periodic.data(), 0, &made.comm);
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int below = 0;
    int above = 0;
    MPI_Cart_shift(made.comm, dimension, 1, &below, &above);
    for (Entries *side : {&made.sources, &made.destinations}) {
      side->neighbors.insert(side->neighbors.end(), {below, above});
    }
    made.destinations.labels.insert(made.destinations.labels.end(), {2 * dimension, 2 * dimension + 1});
    made.sources.labels.insert(made.sources.labels.end(), {2 * dimension + 1, 2 * dimension});
  }
}

// The k-th edge from a to b has the label k on both ends.
void label_edges(Entries &side) {
  for (std::size_t i = 0; i < side.neighbors.size(); ++i) {
    side.labels.push_back(static_cast<int>(std::count(
        side.neighbors.begin(), side.neighbors.begin() + static_cast<std::ptrdiff_t>(i), side.neighbors[i])));
  }
}

// edges(a, b): how many there are from a to b.
void make_distributed_graph(Neighborhood &made, const std::function<int(int, int)> &edges) {
  const int me = world_rank();
  for (int other = world_ranks() - 1; other >= 0; --other) {
    made.sources.neighbors.insert(made.sources.neighbors.end(), static_cast<std::size_t>(edges(other, me)), other);
    made.destinations.neighbors.insert(made.destinations.neighbors.begin(), static_cast<std::size_t>(edges(me, other)),
                                       other);
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, made.sources.size(), made.sources.neighbors.data(), MPI_UNWEIGHTED,
                                 made.destinations.size(), made.destinations.neighbors.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &made.comm);
  label_edges(made.sources);
  label_edges(made.destinations);
}

// Every rank and the next are neighbours of each other.
void make_graph(Neighborhood &made) {
  const int ranks = world_ranks();
  std::vector<int> index;
  std::vector<int> edges;
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank > 0) edges.push_back(rank - 1);
    if (rank + 1 < ranks) edges.push_back(rank + 1);
    index.push_back(static_cast<int>(edges.size()));
    if (rank == world_rank()) {
      made.sources.neighbors.assign(edges.begin() + (rank > 0 ? index[static_cast<std::size_t>(rank) - 1] : 0),
                                    edges.end());
    }
  }
  edges.reserve(1);  // MPICH wants an address even where there are no edges
  MPI_Graph_create(MPI_COMM_WORLD, ranks, index.data(), edges.data(), 0, &made.comm);
  made.destinations.neighbors = made.sources.neighbors;
  label_edges(made.sources);
  label_edges(made.destinations);
}

// Elements of the block that goes from a to b with a label.
int count_of(int a, int b, int label) {
  return (3 * a + 5 * b + 2 * label) % 7 * (label == 1 ? 900 : 1);
}

struct Buffers {
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<int> elements;
};

Buffers buffers_for(const Entries &side, const std::function<int(int neighbor, int label)> &count) {
  Buffers made;
  int next = 2;
  for (int entry = 0; entry < side.size(); ++entry) {
    const int neighbor = side.neighbors[static_cast<std::size_t>(entry)];
    made.counts.push_back(neighbor == MPI_PROC_NULL ? 4
                                                    : count(neighbor, side.labels[static_cast<std::size_t>(entry)]));
    made.displacements.push_back(next);
    next += made.counts.back() + entry % 2;
  }
  made.elements.resize(static_cast<std::size_t>(next) + 2);
  return made;
}

class Exchanged {
 public:
  explicit Exchanged(const Neighborhood &given)
      : given_(given),
        send_(buffers_for(given.destinations,
                          [](int neighbor, int label) { return count_of(world_rank(), neighbor, label); })),
        receive_(buffers_for(given.sources,
                             [](int neighbor, int label) { return count_of(neighbor, world_rank(), label); })),
        expected_(receive_) {}

  int init(RONDO_Request *request, const Hints &hints = {}) {
    return RONDO_Neighbor_alltoallv_init(send_.elements.data(), send_.counts.data(), send_.displacements.data(),
                                         MPI_INT, receive_.elements.data(), receive_.counts.data(),
                                         receive_.displacements.data(), MPI_INT, given_.comm, hints.info(), request);
  }

  void expect_restarts(const Hints &hints = {}) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    ASSERT_EQ(init(&request, hints), MPI_SUCCESS) << refused(RONDO_ERR_INTERNAL).message;
    Request plan(request);
    for (int round = 0; round < 3; ++round) {
      prepare(round);
      plan.run();
      EXPECT_EQ(receive_.elements, expected_.elements) << "in round " << round;
    }
  }

  [[nodiscard]] Request plan_by_cpp() {
    return neighbor_alltoallv_init<int, int>({send_.elements, send_.counts, send_.displacements},
                                             {receive_.elements, receive_.counts, receive_.displacements}, given_.comm);
  }

 private:
  void prepare(int round) {
    for (std::size_t i = 0; i < send_.elements.size(); ++i) {
      send_.elements[i] = 100000 * round + 10000 * world_rank() + static_cast<int>(i);
    }
    std::fill(receive_.elements.begin(), receive_.elements.end(), -round);
    expected_.elements = receive_.elements;
    std::vector<MPI_Request> requests;
    for (std::size_t i = 0; i < given_.sources.neighbors.size(); ++i) {
      MPI_Irecv(expected_.elements.data() + receive_.displacements[i], receive_.counts[i], MPI_INT,
                given_.sources.neighbors[i], given_.sources.labels[i], given_.comm, &requests.emplace_back());
    }
    for (std::size_t i = 0; i < given_.destinations.neighbors.size(); ++i) {
      MPI_Isend(send_.elements.data() + send_.displacements[i], send_.counts[i], MPI_INT,
                given_.destinations.neighbors[i], given_.destinations.labels[i], given_.comm, &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  const Neighborhood &given_;
  Buffers send_;
  Buffers receive_;
  Buffers expected_;
};

Hints on(const char *wire) {
  return Hints{{"rondo_wire", wire}};
}

TEST(Neighbors, RingOnWhichBothNeighboursMayBeTheSameRank) {
  Neighborhood ring;
  make_grid(ring, {0}, {1});

  for (const char *wire : {"auto", "packed"}) Exchanged(ring).expect_restarts(on(wire));
}

TEST(Neighbors, GridWithEnds) {
  Neighborhood grid;
  make_grid(grid, {0, 0}, {0, 0});

  for (const char *wire : {"auto", "packed"}) Exchanged(grid).expect_restarts(on(wire));
}

TEST(Neighbors, GridWithADimensionOfOneRank) {
  Neighborhood grid;
  make_grid(grid, {1, 0, 0}, {1, 0, 1});

  Exchanged(grid).expect_restarts();
}

TEST(Neighbors, DistributedGraphThatIsNotSymmetric) {
  Neighborhood graph;
  make_distributed_graph(graph, [](int a, int b) { return (a + 2 * b) % 3 == 1 ? 1 : 0; });

  for (const char *wire : {"auto", "packed"}) Exchanged(graph).expect_restarts(on(wire));
}

TEST(Neighbors, DistributedGraphWithRepeatedEdgesAndEdgesToOneself) {
  Neighborhood graph;
  make_distributed_graph(graph, [](int a, int b) { return (a * b + a + b) % 3; });

  for (const char *wire : {"auto", "packed"}) Exchanged(graph).expect_restarts(on(wire));
}

TEST(Neighbors, DistributedGraphWithoutEdges) {
  Neighborhood graph;
  make_distributed_graph(graph, [](int, int) { return 0; });

  Exchanged(graph).expect_restarts();
}

TEST(Neighbors, Graph) {
  Neighborhood graph;
  make_graph(graph);

  Exchanged(graph).expect_restarts();
}

TEST(Neighbors, EveryRelayingAlgorithmServesThem) {
  Neighborhood graph;
  make_distributed_graph(graph, [](int a, int b) { return (a * b + a + b) % 3; });

  for (const char *algorithm : {"tuna", "two_phase_bruck", "sloav", "node_aggregated"}) {
    Exchanged(graph).expect_restarts(Hints{{"rondo_algorithm", algorithm}});
  }
}

TEST(Neighbors, Native) {
  Neighborhood graph;
  make_distributed_graph(graph, [](int a, int b) { return (a + 2 * b) % 3 == 1 ? 1 : 0; });

  for (const char *kind : {"persistent", "nonblocking"}) {
    Exchanged(graph).expect_restarts(Hints{{"rondo_algorithm", "native"}, {"rondo_native", kind}});
  }
}

// Releases differ in what they do there.
void expect_right_or_refused(const Neighborhood &given) {
  for (const char *kind : {"persistent", "nonblocking"}) {
    const Hints native{{"rondo_algorithm", "native"}, {"rondo_native", kind}};
    RONDO_Request request = RONDO_REQUEST_NULL;
    Exchanged exchanged(given);
    const int code = exchanged.init(&request, native);
    if (code == MPI_SUCCESS) {
      RONDO_Request_free(&request);
      exchanged.expect_restarts(native);
    } else {
      const Refusal refusal = refused(code);
      EXPECT_EQ(refusal.code, RONDO_ERR_ALGORITHM);
      EXPECT_NE(refusal.message.find("same rank"), std::string::npos) << refusal.message;
    }
  }
}

TEST(Neighbors, NativeIsRightOrRefusedOnGridsInWhichNeighboursAreTheSameRank) {
  for (const auto &lengths : {std::vector{0}, {1, 0}, {1, 1, 0}}) {
    Neighborhood ring;
    make_grid(ring, lengths, std::vector<int>(lengths.size(), 1));

    expect_right_or_refused(ring);
  }
}

TEST(Neighbors, NativeIsRightOrRefusedWhereSomeRanksAreNamedTwice) {
  Neighborhood all;
  make_distributed_graph(all, [](int a, int b) { return (a * b + a + b) % 3; });
  Neighborhood last_to_itself;
  make_distributed_graph(last_to_itself, [](int a, int b) { return a == b && a == world_ranks() - 1 ? 2 : 1; });

  for (const auto *graph : {&all, &last_to_itself}) expect_right_or_refused(*graph);
}

// As many elements for each neighbour, by the C call and by the C++ call.
void expect_uniform(const Neighborhood &given) {
  constexpr int count = 3;
  const auto element = [](int from, int to, int label, int i) { return ((from * 100 + to) * 10 + label) * 10 + i; };
  std::vector<int> sent;
  std::vector<int> expected;
  for (std::size_t entry = 0; entry < given.destinations.neighbors.size(); ++entry) {
    for (int i = 0; i < count; ++i) {
      sent.push_back(element(world_rank(), given.destinations.neighbors[entry], given.destinations.labels[entry], i));
    }
  }
  for (std::size_t entry = 0; entry < given.sources.neighbors.size(); ++entry) {
    const int from = given.sources.neighbors[entry];
    for (int i = 0; i < count; ++i) {
      expected.push_back(from == MPI_PROC_NULL ? -1 : element(from, world_rank(), given.sources.labels[entry], i));
    }
  }
  std::vector<int> received(expected.size(), -1);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Neighbor_alltoall_init(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, given.comm,
                                         MPI_INFO_NULL, &request),
            MPI_SUCCESS);
  Request(request).run();
  EXPECT_EQ(received, expected);

  std::fill(received.begin(), received.end(), -1);
  neighbor_alltoall_init(std::span<const int>(sent), std::span(received), given.comm).run();
  EXPECT_EQ(received, expected);
}

TEST(Neighbors, OneCountForAll) {
  Neighborhood ring;
  make_grid(ring, {0}, {1});
  Neighborhood grid;
  make_grid(grid, {0, 0}, {0, 1});
  Neighborhood uneven;
  make_distributed_graph(uneven, [](int a, int b) { return (a * b + a + b) % 3; });
  Neighborhood graph;
  make_graph(graph);

  for (const Neighborhood *given : {&ring, &grid, &uneven, &graph}) expect_uniform(*given);
}

TEST(Neighbors, OneCountForAllRefusesElementsThatCannotBeShared) {
  Neighborhood ring;
  make_grid(ring, {0}, {1});
  const std::vector<int> sent(5);
  std::vector<int> received(4);

  EXPECT_THROW((void)neighbor_alltoall_init(std::span<const int>(sent), std::span(received), ring.comm), CountError);
}

TEST(Neighbors, CountsAndTheCppCall) {
  Neighborhood graph;
  make_distributed_graph(graph, [](int a, int b) { return a <= b ? 1 : 0; });
  int sources = -1;
  int destinations = -1;

  ASSERT_EQ(RONDO_Neighbor_counts(graph.comm, &sources, &destinations), MPI_SUCCESS);
  Request plan = Exchanged(graph).plan_by_cpp();

  EXPECT_EQ(sources, world_rank() + 1);
  EXPECT_EQ(destinations, world_ranks() - world_rank());
  EXPECT_EQ(plan.report().ranks, world_ranks());
}

TEST(Neighbors, CommunicatorWithoutTopologyIsRefused) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  const int none = 0;

  const Refusal refusal = refused(RONDO_Neighbor_alltoallv_init(nullptr, &none, &none, MPI_INT, nullptr, &none, &none,
                                                                MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_COMM);
  EXPECT_NE(refusal.message.find("topology"), std::string::npos) << refusal.message;
}

TEST(Neighbors, InPlaceIsRefused) {
  Neighborhood ring;
  make_grid(ring, {0}, {1});
  RONDO_Request request = RONDO_REQUEST_NULL;
  const int counts[] = {0, 0};

  const Refusal refusal = refused(RONDO_Neighbor_alltoallv_init(MPI_IN_PLACE, counts, counts, MPI_INT, nullptr, counts,
                                                                counts, MPI_INT, ring.comm, MPI_INFO_NULL, &request));

  EXPECT_EQ(refusal.code, RONDO_ERR_ARG);
  EXPECT_NE(refusal.message.find("MPI_IN_PLACE"), std::string::npos) << refusal.message;
}

// Displacements that are addresses, as MPI takes them for this call alone.
TEST(NeighborAlltoallw, FromAndToMpiBottom) {
  const int next = (world_rank() + 1) % world_ranks();
  const int previous = (world_rank() + world_ranks() - 1) % world_ranks();
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 0, &ring);
  const int sent = world_rank();
  const int count = 1;
  const MPI_Datatype type = MPI_INT;

  for (const char *algorithm : {"spread_out", "native"}) {
    int received = -1;
    MPI_Aint from = 0;
    MPI_Aint to = 0;
    MPI_Get_address(&sent, &from);
    MPI_Get_address(&received, &to);
    RONDO_Request request = RONDO_REQUEST_NULL;
    EXPECT_EQ(RONDO_Neighbor_alltoallw_init(MPI_BOTTOM, &count, &from, &type, MPI_BOTTOM, &count, &to, &type, ring,
                                            Hints{{"rondo_algorithm", algorithm}}.info(), &request),
              MPI_SUCCESS)
        << algorithm;
    if (request != RONDO_REQUEST_NULL) Request(request).run();
    EXPECT_EQ(received, previous) << algorithm;
  }

  MPI_Comm_free(&ring);
}

// MPICH's own call takes the count of another neighbour there.
TEST(Neighbors, ThatAreMoreOnOneSideAreNotLeftToMpich) {
  if (world_ranks() != 2) GTEST_SKIP() << "the graph is one of two ranks";
  const bool first = world_rank() == 0;
  const std::vector<int> sources = first ? std::vector{0} : std::vector{0, 1};
  const std::vector<int> destinations = first ? std::vector{0, 1} : std::vector{1};
  const std::vector<int> send_counts = first ? std::vector{4, 6} : std::vector{4};
  const std::vector<int> receive_counts = first ? std::vector{4} : std::vector{6, 4};
  const std::vector<MPI_Aint> places = {0, 8 * sizeof(int)};
  const std::vector<MPI_Datatype> types = {MPI_INT, MPI_INT};
  const std::vector<int> weights = {1, 1};
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(), weights.data(),
                                 static_cast<int>(destinations.size()), destinations.data(), weights.data(),
                                 MPI_INFO_NULL, 0, &graph);
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "rondo_algorithm", "native");
  const std::vector<int> out(16, 7 + world_rank());
  std::vector<int> in(16, -1);
  RONDO_Request request = RONDO_REQUEST_NULL;
  const int code =
      RONDO_Neighbor_alltoallw_init(out.data(), send_counts.data(), places.data(), types.data(), in.data(),
                                    receive_counts.data(), places.data(), types.data(), graph, info, &request);
  MPI_Info_free(&info);
#if defined(OPEN_MPI)
  ASSERT_EQ(code, MPI_SUCCESS);
  RONDO_Start(&request);
  RONDO_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(in[3], 7);
  EXPECT_EQ(in[5], first ? -1 : 7);
  RONDO_Request_free(&request);
#else
  EXPECT_EQ(code, RONDO_ERR_ALGORITHM);
#endif
  MPI_Comm_free(&graph);
}

}  // namespace
}  // namespace rondo
