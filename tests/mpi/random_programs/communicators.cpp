#include "tests/mpi/random_programs/communicators.hpp"

#include <numeric>

#include "tests/random_programs/draw.hpp"

namespace rondo::random_programs {

Communicators::Communicators(MPI_Comm base, std::uint64_t seed) {
  int rank = 0;
  MPI_Comm_rank(base, &rank);
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_dup(base, &made);
  fill(Group::all, made);
  MPI_Comm_split(base, 0, -rank, &made);
  fill(Group::reversed, made);
  MPI_Comm_split(base, rank % 2, rank, &made);
  fill(Group::half, made);
  MPI_Comm_split(base, rank, 0, &made);
  fill(Group::self, made);
  make_graph(base, seed);
  make_two_groups(base);
}

Communicators::~Communicators() {
  free_all();
}

void Communicators::free_all() {
  for (Place &place : places_) {
    if (place.comm != MPI_COMM_NULL) MPI_Comm_free(&place.comm);
  }
}

void Communicators::fill(Group group, MPI_Comm comm) {
  Place &place = at(group);
  place.comm = comm;
  MPI_Comm_rank(comm, &place.rank);
  MPI_Comm_size(comm, &place.ranks);
  place.sources.resize(static_cast<std::size_t>(place.ranks));
  std::iota(place.sources.begin(), place.sources.end(), 0);
  place.destinations = place.sources;
}

void Communicators::make_graph(MPI_Comm base, std::uint64_t seed) {
  const auto edge = [&](int source, int destination) { return mixed(seed, source, destination) % 2 == 0; };
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(base, &rank);
  MPI_Comm_size(base, &ranks);
  std::vector<int> sources;
  std::vector<int> destinations;
  for (int peer = 0; peer < ranks; ++peer) {
    if (edge(peer, rank)) sources.push_back(peer);
    if (edge(rank, peer)) destinations.push_back(peer);
  }
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(base, static_cast<int>(sources.size()), sources.data(), MPI_UNWEIGHTED,
                                 static_cast<int>(destinations.size()), destinations.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &made);
  fill(Group::graph, made);
  at(Group::graph).sources = sources;
  at(Group::graph).destinations = destinations;
}

void Communicators::make_two_groups(MPI_Comm base) {
  const Place &half = place(Group::half);
  int ranks = 0;
  int rank = 0;
  MPI_Comm_size(base, &ranks);
  MPI_Comm_rank(base, &rank);
  if (ranks < 2) return;
  Place &two = at(Group::two_groups);
  MPI_Intercomm_create(half.comm, 0, base, 1 - rank % 2, 0, &two.comm);
  MPI_Comm_rank(two.comm, &two.rank);
  MPI_Comm_remote_size(two.comm, &two.ranks);
  two.own_group = rank % 2;
  two.sources.resize(static_cast<std::size_t>(two.ranks));
  std::iota(two.sources.begin(), two.sources.end(), 0);
  two.destinations = two.sources;
}

}  // namespace rondo::random_programs
