#include "wire/neighbors.hpp"

#include <algorithm>
#include <numeric>

#include "exchange/error.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

std::vector<int> in_order(std::size_t entries) {
  std::vector<int> order(entries);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Neighbors grid_neighbors(MPI_Comm comm) {
  int dimensions = 0;
  check_mpi(MPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
  Neighbors neighbors;
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int below = MPI_PROC_NULL;
    int above = MPI_PROC_NULL;
    check_mpi(MPI_Cart_shift(comm, dimension, 1, &below, &above), "MPI_Cart_shift");
    neighbors.sources.insert(neighbors.sources.end(), {below, above});
    neighbors.matching.insert(neighbors.matching.end(), {2 * dimension + 1, 2 * dimension});
  }
  neighbors.destinations = neighbors.sources;
  return neighbors;
}

Neighbors graph_neighbors(MPI_Comm comm) {
  int rank = 0;
  int count = 0;
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check_mpi(MPI_Graph_neighbors_count(comm, rank, &count), "MPI_Graph_neighbors_count");
  Neighbors neighbors;
  neighbors.sources.resize(count);
  check_mpi(MPI_Graph_neighbors(comm, rank, count, neighbors.sources.data()), "MPI_Graph_neighbors");
  neighbors.destinations = neighbors.sources;
  neighbors.matching = in_order(neighbors.sources.size());
  return neighbors;
}

Neighbors distributed_graph_neighbors(MPI_Comm comm) {
  int sources = 0;
  int destinations = 0;
  int weighted = 0;
  check_mpi(MPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted), "MPI_Dist_graph_neighbors_count");
  Neighbors neighbors;
  neighbors.sources.resize(sources);
  neighbors.destinations.resize(destinations);
  // The weights are of no use here, but libraries differ in whether they may be left out.
  std::vector<int> weights;
  if (weighted != 0) weights.resize(neighbors.sources.size() + neighbors.destinations.size() + 2);
  int *const of_sources = weighted != 0 ? weights.data() : MPI_UNWEIGHTED;
  int *const of_destinations = weighted != 0 ? weights.data() + sources + 1 : MPI_UNWEIGHTED;
  check_mpi(MPI_Dist_graph_neighbors(comm, sources, neighbors.sources.data(), of_sources, destinations,
                                     neighbors.destinations.data(), of_destinations),
            "MPI_Dist_graph_neighbors");
  neighbors.matching = in_order(neighbors.sources.size());
  return neighbors;
}

Neighbors neighbors_in(int topology, MPI_Comm comm) {
  if (topology == MPI_CART) return grid_neighbors(comm);
  if (topology == MPI_GRAPH) return graph_neighbors(comm);
  if (topology == MPI_DIST_GRAPH) return distributed_graph_neighbors(comm);
  throw Error(Fault::comm, "the communicator has no topology, so there are no neighbours to exchange with");
}

bool has_repeated(const std::vector<int> &all) {
  if (all.size() < 2) return false;
  std::vector<int> ranks = all;
  std::erase(ranks, MPI_PROC_NULL);
  std::sort(ranks.begin(), ranks.end());
  return std::adjacent_find(ranks.begin(), ranks.end()) != ranks.end();
}

// After at most one of them comes one that is not larger, the first after the last.
bool is_cyclic(const std::vector<int> &ranks) {
  std::size_t descents = 0;
  for (std::size_t i = 0; i < ranks.size(); ++i) descents += ranks[i] >= ranks[(i + 1) % ranks.size()] ? 1 : 0;
  return descents <= 1 && std::find(ranks.begin(), ranks.end(), MPI_PROC_NULL) == ranks.end();
}

}  // namespace

int topology_of(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  check_mpi(MPI_Topo_test(comm, &topology), "MPI_Topo_test");
  return topology;
}

bool is_folded(MPI_Comm comm) {
  int topology = MPI_UNDEFINED;
  int dimensions = 0;
  MPI_Topo_test(comm, &topology);
  if (topology == MPI_CART) MPI_Cartdim_get(comm, &dimensions);
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    int below = MPI_PROC_NULL;
    int above = MPI_PROC_NULL;
    MPI_Cart_shift(comm, dimension, 1, &below, &above);
    if (below == above && below != MPI_PROC_NULL) return true;
  }
  return false;
}

Neighbors neighbors_of(MPI_Comm comm) {
  Neighbors neighbors = neighbors_in(topology_of(comm), comm);
  neighbors.repeated = has_repeated(neighbors.sources) || has_repeated(neighbors.destinations);
  neighbors.cyclic = is_cyclic(neighbors.sources) && is_cyclic(neighbors.destinations);
  return neighbors;
}

}  // namespace rondo::internal
