#include "cli/graph_comm.hpp"

namespace rondo::internal::cli {

namespace {

// The ranks at the other ends of the blocks that are not empty, with what the call is told of these.
std::vector<int> neighbors_of(const std::vector<Extent> &extents, std::vector<int> &counts,
                              std::vector<int> &displacements) {
  std::vector<int> neighbors;
  for (std::size_t peer = 0; peer < extents.size(); ++peer) {
    if (extents[peer].length == 0) continue;
    neighbors.push_back(static_cast<int>(peer));
    counts.push_back(static_cast<int>(extents[peer].length));
    displacements.push_back(static_cast<int>(extents[peer].offset));
  }
  counts.push_back(0);  // of nobody
  displacements.push_back(0);
  return neighbors;
}

}  // namespace

GraphComm::GraphComm(const Exchange &exchange, MPI_Comm all) {
  std::vector<int> destinations = neighbors_of(exchange.send, arguments_.send_counts, arguments_.send_displacements);
  std::vector<int> sources =
      neighbors_of(exchange.receive, arguments_.receive_counts, arguments_.receive_displacements);
  const int out = static_cast<int>(destinations.size());
  const int in = static_cast<int>(sources.size());
  destinations.push_back(0);  // of nobody: the array is not to be null
  sources.push_back(0);
  MPI_Dist_graph_create_adjacent(all, in, sources.data(), MPI_UNWEIGHTED, out, destinations.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &comm_);
}

}  // namespace rondo::internal::cli
