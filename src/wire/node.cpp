#include "wire/node.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

// Lowest members, one a rank, to node numbers in order of the lowest members.
std::vector<int> number_nodes(const std::vector<int> &lowest_member) {
  std::map<int, int> number;
  for (const int lowest : lowest_member) number.emplace(lowest, 0);
  int next = 0;
  for (auto &[lowest, node] : number) node = next++;
  std::vector<int> node_of;
  for (const int lowest : lowest_member) node_of.push_back(number[lowest]);
  return node_of;
}

// Cores that the cgroup's quota is worth, 0 where there is none. cgroup v2: "max 100000" or "150000 100000".
int quota_cores() {
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
  return std::max(1, static_cast<int>(std::stod(quota) / period));
}

}  // namespace

Node::Node(MPI_Comm comm) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm_), "MPI_Comm_split_type");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  int local_ranks = 0;
  MPI_Comm_rank(comm_, &local_rank_);
  MPI_Comm_size(comm_, &local_ranks);
  members_.resize(static_cast<std::size_t>(local_ranks));
  check_mpi(MPI_Allgather(&rank, 1, MPI_INT, members_.data(), 1, MPI_INT, comm_), "MPI_Allgather");
  std::vector<int> lowest(static_cast<std::size_t>(ranks));
  check_mpi(MPI_Allgather(members_.data(), 1, MPI_INT, lowest.data(), 1, MPI_INT, comm), "MPI_Allgather");
  node_of_ = number_nodes(lowest);
}

Node::~Node() {
  close();
}

void Node::close() {
  if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

int usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  const int affinity = sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
  const int quota = quota_cores();
  return std::max(1, quota > 0 ? std::min(affinity, quota) : affinity);
}

}  // namespace rondo
