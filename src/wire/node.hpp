#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/owned_comm.hpp"

namespace rondo::internal {

// The communicator of the ranks that share memory with this one. Collective; takes no memory of Rondo's.
OwnedComm ranks_of_node(MPI_Comm comm);

// What a rank tells those of its node first, by MPI: all that they need to share memory from then on.
struct Introduction {
  static constexpr std::size_t most_words = 64;  // of 64 cores

  std::int64_t rank;                // of the communicator
  unsigned long cores[most_words];  // that this rank may run on, a bit each; none where that is not known
  std::int64_t process;
  std::uint64_t address;  // of a number in its memory, to try to read
  std::uint64_t value;    // which it has
  std::int64_t board;     // the descriptor of the file of the node's board, of the first rank; -1: none
  std::uint64_t cookie;   // which that file has
};

// Which ranks of a communicator share memory, found out once per communicator.
class Node {
 public:
  // Local: takes the memory for a communicator of so many ranks, of which so many are on this node.
  Node(int ranks, int local_ranks);
  Node(const Node &) = delete;
  Node &operator=(const Node &) = delete;

  // Local: this rank's part.
  void introduce(Introduction &own) const;
  // Fills the map in. Collective over comm where there are several nodes; takes no memory, throws when MPI fails.
  void meet(MPI_Comm comm, int rank, std::span<const Introduction> all);

  [[nodiscard]] int ranks() const { return static_cast<int>(node_of_.size()); }  // of the communicator
  [[nodiscard]] int local_rank() const { return local_rank_; }
  [[nodiscard]] int local_ranks() const { return static_cast<int>(members_.size()); }
  [[nodiscard]] const std::vector<int> &members() const { return members_; }  // ranks on this node, by local rank
  // How many the ranks of the node may run on together (each may be bound to one of its own), at least 1, and no more
  // than this rank's cgroup has a quota for.
  [[nodiscard]] int cores() const { return cores_; }
  // The ranks that take turns on those cores, as far as that can be known: this communicator's, and where its ranks may
  // run everywhere, all of the job that the launcher has told of.
  [[nodiscard]] int ranks_on_cores() const;
  // By rank of the whole communicator, nodes numbered from 0 by their lowest ranks.
  [[nodiscard]] const std::vector<int> &node_of() const { return node_of_; }

 private:
  int local_rank_ = 0;
  int cores_ = 1;
  bool everywhere_ = true;  // these are all that there are
  std::vector<int> members_;
  std::vector<int> node_of_;
};

}  // namespace rondo::internal
