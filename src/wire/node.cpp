#include "wire/node.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// Turns lowest members, one a rank, into node numbers in order of the lowest members.
void number_nodes(std::vector<int> &lowest_member) {
  int next = 0;
  for (std::size_t rank = 0; rank < lowest_member.size(); ++rank) {
    const auto lowest = static_cast<std::size_t>(lowest_member[rank]);
    lowest_member[rank] = lowest == rank ? next++ : lowest_member[lowest];  // which has its number already
  }
}

// Cores that the cgroup's quota is worth, 0 where there is none. cgroup v2: "max 100000" or "150000 100000".
int quota_cores() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
  return std::max(1, static_cast<int>(std::stod(quota) / period));
}

// Ranks of the job on this node, as the launchers of MPICH and Open MPI tell it; 0 where they do not.
int ranks_of_job() {
  for (const char *variable : {"MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE"}) {
    if (const char *value = std::getenv(variable)) return std::atoi(value);
  }
  return 0;
}

// How many all of them may run on together.
int cores_of(std::span<const Introduction> all) {
  int allowed = 0;
  for (std::size_t word = 0; word < Introduction::most_words; ++word) {
    unsigned long any = 0;
    for (const Introduction &one : all) any |= one.cores[word];
    allowed += std::popcount(any);
  }
  if (allowed == 0) allowed = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  const int quota = quota_cores();
  return std::max(1, quota > 0 ? std::min(allowed, quota) : allowed);
}

}  // namespace

OwnedComm ranks_of_node(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm of_node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &of_node), "MPI_Comm_split_type");
  return OwnedComm(of_node);
}

Node::Node(int ranks, int local_ranks)
    : members_(static_cast<std::size_t>(local_ranks)), node_of_(static_cast<std::size_t>(ranks)) {}

int Node::ranks_on_cores() const {
  return everywhere_ ? std::max(local_ranks(), ranks_of_job()) : local_ranks();
}

// Where the kernel has more cores than there is room for, they are not known.
void Node::introduce(Introduction &own) const {
  std::fill(std::begin(own.cores), std::end(own.cores), 0UL);
  sched_getaffinity(0, sizeof(own.cores), reinterpret_cast<cpu_set_t *>(own.cores));
}

void Node::meet(MPI_Comm comm, int rank, std::span<const Introduction> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    members_[i] = static_cast<int>(all[i].rank);
    if (members_[i] == rank) local_rank_ = static_cast<int>(i);
  }
  if (local_ranks() < ranks()) {
    check_mpi(MPI_Allgather(members_.data(), 1, MPI_INT, node_of_.data(), 1, MPI_INT, comm), "MPI_Allgather");
    number_nodes(node_of_);
  }
  cores_ = cores_of(all);
  everywhere_ = cores_ >= sysconf(_SC_NPROCESSORS_ONLN);
}

}  // namespace rondo::internal
