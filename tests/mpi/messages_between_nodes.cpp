// What an exchange sends from node to node, counted where it meets MPI: as many messages as the route has, and with one
// leader a node one for each pair of nodes. The nodes are the real ones, or those that RONDO_NODE_SIZE pretends.

#include <gtest/gtest.h>
#include <mpi.h>
#include <rondo/rondo.h>

#include <cstdlib>
#include <map>
#include <numeric>

#include "plan/progress.hpp"
#include "plans/algorithm.hpp"
#include "route/nodes.hpp"
#include "tests/mpi/session.hpp"
#include "wire/channel.hpp"

namespace {

std::map<MPI_Request, int> &destinations() {
  static std::map<MPI_Request, int> of_requests;
  return of_requests;
}
std::map<int, int> &started() {
  static std::map<int, int> of_destinations;
  return of_destinations;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {
int MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm,
                  MPI_Request *request) {
  const int status = PMPI_Send_init(buffer, count, type, destination, tag, comm, request);
  destinations()[*request] = destination;
  return status;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm,
              MPI_Request *request) {
  ++started()[destination];
  return PMPI_Isend(buffer, count, type, destination, tag, comm, request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) {
    if (const auto found = destinations().find(requests[i]); found != destinations().end()) ++started()[found->second];
  }
  return PMPI_Startall(count, requests);
}
}
#pragma GCC visibility pop

namespace rondo::internal {
namespace {

Topology seen_topology() {
  const Duplicate &duplicate = *open_channel(MPI_COMM_WORLD, drive_what_runs).duplicate;
  const Node &node = duplicate.node();
  const char *pretended = std::getenv("RONDO_NODE_SIZE");
  if (pretended == nullptr) return {world_ranks(), node.node_of()};
  return {world_ranks(), pretend_nodes(node.node_of(), std::atoi(pretended))};
}

// An exchange in which the rule says how many bytes go from one rank to another; checked, byte by byte.
class Exchanged {
 public:
  template <class Rule>
  Exchanged(const char *algorithm, const Parameters &wished, Rule &&bytes) {
    lay(send_, [&](int peer) { return bytes(world_rank(), peer); });
    lay(receive_, [&](int peer) { return bytes(peer, world_rank()); });
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "rondo_algorithm", algorithm);
    if (wished.leaders > 0) MPI_Info_set(info, "rondo_leaders", std::to_string(wished.leaders).c_str());
    if (wished.radix > 0) MPI_Info_set(info, "rondo_radix", std::to_string(wished.radix).c_str());
    if (wished.pattern != Pattern::none) {
      MPI_Info_set(info, "rondo_pattern", wished.pattern == Pattern::staggered ? "staggered" : "coalesced");
    }
    destinations().clear();
    EXPECT_EQ(RONDO_Alltoallv_init(send_.bytes.data(), send_.counts.data(), send_.displacements.data(), MPI_BYTE,
                                   receive_.bytes.data(), receive_.counts.data(), receive_.displacements.data(),
                                   MPI_BYTE, MPI_COMM_WORLD, info, &request_),
              MPI_SUCCESS);
    MPI_Info_free(&info);
  }
  ~Exchanged() { RONDO_Request_free(&request_); }
  Exchanged(const Exchanged &) = delete;
  Exchanged &operator=(const Exchanged &) = delete;

  // Of one start, summed over the ranks.
  int messages_between_nodes(const Topology &topology) {
    for (int peer = 0; peer < world_ranks(); ++peer) fill(send_, peer, value(world_rank(), peer));
    started().clear();
    EXPECT_EQ(RONDO_Start(&request_), MPI_SUCCESS);
    EXPECT_EQ(RONDO_Wait(&request_, MPI_STATUS_IGNORE), MPI_SUCCESS);
    for (int peer = 0; peer < world_ranks(); ++peer) expect(peer, value(peer, world_rank()));
    int messages = 0;
    for (const auto &[peer, count] : started()) {
      const auto &node = topology.node_of;
      if (node[static_cast<std::size_t>(peer)] != node[static_cast<std::size_t>(world_rank())]) messages += count;
    }
    MPI_Allreduce(MPI_IN_PLACE, &messages, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return messages;
  }

 private:
  struct Side {
    std::vector<int> counts{};
    std::vector<int> displacements{};
    std::vector<unsigned char> bytes{};
  };

  static unsigned char value(int source, int destination) {
    return static_cast<unsigned char>(16 * source + destination + 1);
  }
  template <class Count>
  static void lay(Side &side, Count &&count) {
    for (int peer = 0; peer < world_ranks(); ++peer) {
      side.displacements.push_back(std::accumulate(side.counts.begin(), side.counts.end(), 0));
      side.counts.push_back(count(peer));
    }
    side.bytes.resize(static_cast<std::size_t>(side.displacements.back() + side.counts.back()));
  }
  static std::span<unsigned char> block(Side &side, int peer) {
    const auto p = static_cast<std::size_t>(peer);
    return std::span(side.bytes)
        .subspan(static_cast<std::size_t>(side.displacements[p]), static_cast<std::size_t>(side.counts[p]));
  }
  static void fill(Side &side, int peer, unsigned char with) {
    for (unsigned char &byte : block(side, peer)) byte = with;
  }
  void expect(int peer, unsigned char with) {
    for (const unsigned char byte : block(receive_, peer)) ASSERT_EQ(byte, with) << "from rank " << peer;
  }

  Side send_;
  Side receive_;
  RONDO_Request request_ = RONDO_REQUEST_NULL;
};

int twenty_bytes(int, int) {
  return 20;
}

int messages_of_route(const char *name, const Parameters &wished, const Topology &topology) {
  const Algorithm &algorithm = *find_algorithm(name);
  const Parameters parameters = effective(algorithm, wished, topology);
  int messages = 0;
  for (int rank = 0; rank < topology.ranks; ++rank) {
    const Route route = algorithm.route(rank, topology, parameters);
    for (const Message &message : route.sends.messages()) {
      const auto &node = topology.node_of;
      messages += node[static_cast<std::size_t>(rank)] != node[static_cast<std::size_t>(message.peer)] ? 1 : 0;
    }
  }
  return messages;
}

struct Routed {
  const char *algorithm;
  Parameters parameters;
};

TEST(MessagesBetweenNodes, AreThoseOfTheRoute) {
  const Topology topology = seen_topology();
  const int all = world_ranks();
  for (const Routed &routed :
       {Routed{"spread_out", {}}, Routed{"two_phase_bruck", {}}, Routed{"tuna", {.radix = 3}},
        Routed{"tuna_hierarchical", {.radix = 2, .pattern = Pattern::coalesced}},
        Routed{"tuna_hierarchical", {.radix = 2, .pattern = Pattern::staggered}},
        Routed{"tuna_explicit", {.radix = 2, .block_count = 3}},
        Routed{"node_aggregated", {.radix = all, .leaders = all}},
        Routed{"node_aggregated", {.radix = 2, .leaders = 2}}, Routed{"node_aggregated", {.radix = 2, .leaders = 1}}}) {
    const int routed_messages = messages_of_route(routed.algorithm, routed.parameters, topology);

    const int sent = Exchanged(routed.algorithm, routed.parameters, twenty_bytes).messages_between_nodes(topology);

    EXPECT_EQ(sent, routed_messages) << routed.algorithm;
  }
}

TEST(MessagesBetweenNodes, OneForEachPairOfNodesWithOneLeader) {
  const Topology topology = seen_topology();
  const int nodes = NodeIndex(topology).nodes();
  ASSERT_GT(nodes, 1);
  const Parameters one_leader{.radix = nodes, .leaders = 1};  // direct between nodes

  const int sent = Exchanged("node_aggregated", one_leader, twenty_bytes).messages_between_nodes(topology);

  EXPECT_EQ(sent, nodes * (nodes - 1));
}

TEST(MessagesBetweenNodes, OnlyWhereThereIsSomethingToSay) {
  const Topology topology = seen_topology();
  const NodeIndex nodes(topology);
  const Parameters one_leader{.radix = nodes.nodes(), .leaders = 1};
  const auto to_the_next_node = [&](int source, int destination) {
    return nodes.node_of(destination) == (nodes.node_of(source) + 1) % nodes.nodes() ? 20 : 0;
  };

  const int sent = Exchanged("node_aggregated", one_leader, to_the_next_node).messages_between_nodes(topology);

  EXPECT_EQ(sent, nodes.nodes());
}

}  // namespace
}  // namespace rondo::internal
