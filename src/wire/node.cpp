#include "wire/node.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "wire/mpi_call.hpp"

namespace rondo {

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

// Collective over the node.
int cores_of(MPI_Comm node) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof(cores), &cores);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof(cores), MPI_BYTE, MPI_BOR, node), "MPI_Allreduce");
  const int quota = quota_cores();
  const int allowed = std::max(1, CPU_COUNT(&cores));
  return quota > 0 ? std::min(allowed, quota) : allowed;
}

}  // namespace

OwnedComm ranks_of_node(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm of_node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &of_node), "MPI_Comm_split_type");
  return OwnedComm(of_node);
}

int Node::ranks_on_cores() const {
  const bool everywhere = cores_ >= sysconf(_SC_NPROCESSORS_ONLN);
  return everywhere ? std::max(local_ranks(), ranks_of_job()) : local_ranks();
}

void Node::meet(MPI_Comm comm, OwnedComm of_node) {
  comm_ = std::move(of_node);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_rank(comm_.get(), &local_rank_);
  check_mpi(MPI_Allgather(&rank, 1, MPI_INT, members_.data(), 1, MPI_INT, comm_.get()), "MPI_Allgather");
  check_mpi(MPI_Allgather(members_.data(), 1, MPI_INT, node_of_.data(), 1, MPI_INT, comm), "MPI_Allgather");
  number_nodes(node_of_);
  cores_ = cores_of(comm_.get());
}

}  // namespace rondo
