#pragma once

#include <mpi.h>

#include <vector>

#include "wire/owned_comm.hpp"

namespace rondo::internal {

// The communicator of the ranks that share memory with this one. Collective; takes no memory of Rondo's.
OwnedComm ranks_of_node(MPI_Comm comm);

// Which ranks of a communicator share memory, found out once per communicator.
class Node {
 public:
  // Takes the memory for a communicator of `ranks` ranks, `local_ranks` of them on this node. Local.
  Node(int ranks, int local_ranks);
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;

  // Collective over comm, which lives as long: fills the map in. Takes no memory; throws when MPI fails.
  void meet(MPI_Comm comm, OwnedComm of_node);
  // Frees the node's communicator before MPI_Finalize.
  void close() { comm_.free(); }

  // The communicator of the ranks on this node. Where all ranks are on it, that is the whole communicator, since MPI
  // libraries have a limited number of communicators.
  [[nodiscard]] MPI_Comm comm() const { return local_ranks() < ranks() ? comm_.get() : whole_; }
  [[nodiscard]] int local_rank() const { return local_rank_; }
  [[nodiscard]] int local_ranks() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] const std::vector<int> &members() const { return members_; }  // ranks on this node, by local rank
  // The number of cores on which the ranks of the node may run, all ranks together (each may be bound to a core of its
  // own). At least 1, and at most the quota of this rank's cgroup.
  [[nodiscard]] int cores() const { return cores_; }
  // The number of ranks that share those cores, as far as it is known: this communicator's ranks on the node, or, where
  // these may run on all cores, all ranks that the launcher says the job has on the node.
  [[nodiscard]] int ranks_on_cores() const;
  // By rank of the whole communicator, nodes numbered from 0 by their lowest ranks.
  [[nodiscard]] const std::vector<int> &node_of() const { return node_of_; }

 private:
  [[nodiscard]] int ranks() const { return static_cast<int>(node_of_.size()); }

  MPI_Comm whole_ = MPI_COMM_NULL;
  OwnedComm comm_;
  int local_rank_ = 0;
  int cores_ = 1;
  std::vector<unsigned long> own_cores_;  // a bit each, that this rank may run on; empty where that is not known
  int quota_;                             // cores that this rank's cgroup has, 0 where there is no limit
  std::vector<int> members_;
  std::vector<int> node_of_;
};

}  // namespace rondo::internal
