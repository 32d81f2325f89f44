#pragma once

#include <mpi.h>

#include <vector>

namespace rondo {

// Which ranks of a communicator share memory, found out once per communicator. Collective to make.
class Node {
 public:
  explicit Node(MPI_Comm comm);
  ~Node();
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;

  // Frees the node's communicator before MPI_Finalize.
  void close();

  [[nodiscard]] MPI_Comm comm() const { return comm_; }  // of the ranks on this node
  [[nodiscard]] int local_rank() const { return local_rank_; }
  [[nodiscard]] int local_ranks() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] const std::vector<int> &members() const { return members_; }  // ranks on this node, by local rank
  // By rank of the whole communicator, nodes numbered from 0 by their lowest ranks.
  [[nodiscard]] const std::vector<int> &node_of() const { return node_of_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int local_rank_ = 0;
  std::vector<int> members_;
  std::vector<int> node_of_;
};

// How many cores this process may run on, as affinity and the cgroup's CPU quota allow (at least 1).
int usable_cores();

}  // namespace rondo
