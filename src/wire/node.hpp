#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rondo::internal {

// What each rank tells all ranks first, by MPI: all that those of a node need to share memory from then on.
struct Introduction {
  static constexpr std::size_t most_words = 16;  // of 64 cores

  unsigned long cores[most_words];  // that this rank may run on, a bit each; none where that is not known
  std::int64_t process;
  std::uint64_t address;  // of a number in its memory, to try to read
  std::uint64_t value;    // which it has
  std::int64_t board;     // the descriptor of the file of the node's board, of the first rank; -1: none
  std::uint64_t cookie;   // which that file has
};

// Which ranks of a communicator are on one node and may share memory, found out once per communicator: those that run
// on one kernel, in the same namespaces, under one host name. MPI has a call of its own for it (MPI_Comm_split_type),
// which takes as long as eight barriers where ranks outnumber cores and the MPI library spins.
class Node {
 public:
  // Local: takes the memory for a communicator of so many ranks.
  explicit Node(int ranks);
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;

  // The same number for processes that may share memory, as host() is. It is found out by the first call, which takes
  // as long as a tenth of what the ranks of a node need to meet: for a caller that has time. Local.
  static std::int64_t find_host();

  // The same number on all ranks that share a node.
  [[nodiscard]] std::int64_t host() const { return host_; }
  // Fills the map in. Collective over comm; MPI_COMM_NULL where all ranks are known or thought to have the same host:
  // it may be filled in anew as long as hear() has not been called. Takes no memory; throws when MPI fails.
  void meet(MPI_Comm comm, int rank);
  // Local: this rank's part of what its node is told first, and what all of the node have told.
  static void introduce(Introduction &own);
  void hear(std::span<const Introduction> all);

  [[nodiscard]] int ranks() const { return static_cast<int>(node_of_.size()); }  // of the communicator
  [[nodiscard]] int local_rank() const { return local_rank_; }
  [[nodiscard]] int local_ranks() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] const std::vector<int> &members() const { return members_; }  // ranks on this node, by local rank
  // The number of cores on which the ranks of the node may run, all ranks together (each may be bound to a core of its
  // own). At least 1, and at most the quota of this rank's cgroup.
  [[nodiscard]] int cores() const { return cores_; }
  // The number of ranks that share those cores, as far as it is known: this communicator's ranks on the node, or, where
  // these may run on all cores, all ranks that the launcher says the job has on the node.
  [[nodiscard]] int ranks_on_cores() const { return ranks_on_cores_; }
  // How many ranks take turns on each of the cores.
  [[nodiscard]] int turns() const { return (ranks_on_cores() + cores() - 1) / cores(); }
  // By rank of the whole communicator, nodes numbered from 0 by their lowest ranks.
  [[nodiscard]] const std::vector<int> &node_of() const { return node_of_; }

 private:
  std::int64_t host_;                // this rank's
  std::vector<std::int64_t> hosts_;  // of all ranks, until they have met
  std::vector<int> order_;           // of the ranks, by host; until then
  int local_rank_ = 0;
  int cores_ = 1;
  int ranks_on_cores_ = 1;
  std::vector<int> members_;
  std::vector<int> node_of_;
};

}  // namespace rondo::internal
