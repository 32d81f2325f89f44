#include "groups.hpp"

#include "tests/random_programs/draw.hpp"

namespace rondo::random_programs {

namespace {

Group group_of(MPI_Comm comm) {
  Group group{.comm = comm};
  MPI_Comm_rank(comm, &group.rank);
  MPI_Comm_size(comm, &group.ranks);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return group;
}

// No ring of two ranks, which makes them neighbours twice: MPI libraries mix up their blocks.
Group group_of_grid(std::uint64_t seed) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int is_ring = ranks > 2 && mixed(seed, 5) % 2 == 0 ? 1 : 0;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &is_ring, 0, &comm);
  Group group = group_of(comm);
  group.sources.resize(2);
  MPI_Cart_shift(comm, 0, 1, group.sources.data(), &group.sources[1]);
  group.destinations = group.sources;
  return group;
}

// Of the even and the odd ranks of MPI_COMM_WORLD.
Group group_between(const Group &half) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks == 1) return {};
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Intercomm_create(half.comm, 0, MPI_COMM_WORLD, 1 - rank % 2, never_sent, &comm);
  Group group = group_of(comm);
  group.number = rank;
  for (int other = 1 - rank % 2; other < ranks; other += 2) group.others.push_back(other);
  return group;
}

}  // namespace

Groups open_groups(std::uint64_t seed, bool twice_neighbors) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Groups groups;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  groups[0] = group_of(comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  groups[1] = group_of(comm);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
  groups[2] = group_of(comm);
  const std::vector<int> from = sources_of(seed, rank, ranks, twice_neighbors);
  const std::vector<int> to = destinations_of(seed, rank, ranks, twice_neighbors);
  const std::vector<int> weights(from.size() + to.size() + 1, 1);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(from.size()), from.data(), weights.data(),
                                 static_cast<int>(to.size()), to.data(), weights.data(), MPI_INFO_NULL, 0, &comm);
  groups[3] = group_of(comm);
  groups[3].sources = from;
  groups[3].destinations = to;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  groups[4] = group_of(comm);
  groups[5] = group_of_grid(seed);
  groups[6] = group_between(groups[4]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  groups[7] = group_of(comm);
  return groups;
}

void close_groups(Groups &groups) {
  for (Group &group : groups) {
    if (group.comm != MPI_COMM_NULL) MPI_Comm_free(&group.comm);
  }
}

}  // namespace rondo::random_programs
