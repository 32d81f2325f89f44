// SPDX-License-Identifier: BSD-3-Clause
#include "persistent_call.hpp"

#include <mpi_functions.h>

namespace cg {
namespace {

#if defined(RONDO_MPI_PERSISTENT)
#define QUOTED(text) #text
#define NAME_OF(function) QUOTED(function)
constexpr const char *kName = NAME_OF(RONDO_MPI_PERSISTENT(Alltoallv_init));
constexpr const char *kNeighborName = NAME_OF(RONDO_MPI_PERSISTENT(Neighbor_alltoallv_init));
constexpr auto kInit = RONDO_MPI_PERSISTENT(Alltoallv_init);
constexpr auto kNeighborInit = RONDO_MPI_PERSISTENT(Neighbor_alltoallv_init);
#else
constexpr const char *kName = nullptr;
constexpr const char *kNeighborName = nullptr;
constexpr auto kInit = [](auto &&...) { return MPI_ERR_OTHER; };
constexpr auto kNeighborInit = kInit;
#endif

MPI_Comm make_graph(const std::vector<int> &sources, const std::vector<int> &destinations, MPI_Comm comm) {
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(comm, static_cast<int>(sources.size()), sources.data(), MPI_UNWEIGHTED,
                                 static_cast<int>(destinations.size()), destinations.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &graph);
  return graph;
}

}  // namespace

const char *PersistentCall::name(Call call) {
  return call == Call::alltoallv ? kName : kNeighborName;
}

PersistentCall::Side PersistentCall::neighbors(const std::vector<int> &counts, const std::vector<int> &displacements) {
  Side side;
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    if (counts[rank] == 0) continue;
    side.ranks.push_back(static_cast<int>(rank));
    side.counts.push_back(counts[rank]);
    side.displacements.push_back(displacements[rank]);
  }
  return side;
}

PersistentCall::PersistentCall(Call call, const HaloLists &lists, std::span<const double> outgoing,
                               std::span<double> incoming, MPI_Comm comm) {
  if (call == Call::alltoallv) {
    kInit(outgoing.data(), lists.send_counts.data(), lists.send_displacements.data(), MPI_DOUBLE, incoming.data(),
          lists.receive_counts.data(), lists.receive_displacements.data(), MPI_DOUBLE, comm, MPI_INFO_NULL, &request_);
    return;
  }
  send_ = neighbors(lists.send_counts, lists.send_displacements);
  receive_ = neighbors(lists.receive_counts, lists.receive_displacements);
  graph_ = make_graph(receive_.ranks, send_.ranks, comm);
  kNeighborInit(outgoing.data(), send_.counts.data(), send_.displacements.data(), MPI_DOUBLE, incoming.data(),
                receive_.counts.data(), receive_.displacements.data(), MPI_DOUBLE, graph_, MPI_INFO_NULL, &request_);
}

PersistentCall::~PersistentCall() {
  MPI_Request_free(&request_);
  if (graph_ != MPI_COMM_NULL) MPI_Comm_free(&graph_);
}

}  // namespace cg
