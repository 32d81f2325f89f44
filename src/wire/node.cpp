#include "wire/node.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <utility>

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

// The kernel refuses a set that is too small for the cores that it might have: the set grows until it fits.
std::vector<unsigned long> affinity() {
  constexpr std::size_t most_words = std::size_t{1} << 16;
  for (std::size_t words = 1024 / std::numeric_limits<unsigned long>::digits; words <= most_words; words *= 2) {
    std::vector<unsigned long> set(words);
    const std::size_t bytes = words * sizeof(set[0]);
    if (sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t *>(set.data())) == 0) return set;
    if (errno != EINVAL) break;
  }
  return {};
}

// On how many cores the ranks of the node may run, all ranks together. Overwrites `own`. Collective over the node.
int cores_of(MPI_Comm node, std::span<unsigned long> own, int quota) {
  auto words = static_cast<std::int64_t>(own.size());
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &words, 1, MPI_INT64_T, MPI_MIN, node), "MPI_Allreduce");
  const auto common = own.first(static_cast<std::size_t>(words));
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, common.data(), static_cast<int>(words), MPI_UNSIGNED_LONG, MPI_BOR, node),
            "MPI_Allreduce");
  int allowed = 0;
  for (const unsigned long word : common) allowed += std::popcount(word);
  if (allowed == 0) allowed = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
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
    : own_cores_(affinity()),
      quota_(quota_cores()),
      members_(static_cast<std::size_t>(local_ranks)),
      node_of_(static_cast<std::size_t>(ranks)) {}

int Node::ranks_on_cores() const {
  const bool everywhere = cores_ >= sysconf(_SC_NPROCESSORS_ONLN);
  return everywhere ? std::max(local_ranks(), ranks_of_job()) : local_ranks();
}

void Node::meet(MPI_Comm comm, OwnedComm of_node) {
  whole_ = comm;
  if (local_ranks() < ranks()) comm_ = std::move(of_node);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_rank(this->comm(), &local_rank_);
  check_mpi(MPI_Allgather(&rank, 1, MPI_INT, members_.data(), 1, MPI_INT, this->comm()), "MPI_Allgather");
  check_mpi(MPI_Allgather(members_.data(), 1, MPI_INT, node_of_.data(), 1, MPI_INT, comm), "MPI_Allgather");
  number_nodes(node_of_);
  cores_ = cores_of(this->comm(), own_cores_, quota_);
}

}  // namespace rondo::internal
