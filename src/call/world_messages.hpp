#pragma once

// One communicator for the messages of all exchanges between ranks of MPI_COMM_WORLD: each group's exchange has a tag
// of its own on it. So a group needs no communicator of its own, which would take MPI libraries a quarter of the time
// in which the group's links are made.

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "wire/owned_comm.hpp"

namespace rondo::internal::call {

// A communicator's ranks, as those of MPI_COMM_WORLD; null where they are the same.
using WorldRanks = std::shared_ptr<const std::vector<int>>;

// What this process has of it. Exchanges are made one after the other: where threads of a rank may make them at once,
// there is none.
class WorldMessages {
 public:
  static WorldMessages &of_process();

  // Takes over `all`, which has the ranks of MPI_COMM_WORLD in their order. On all of them or on none.
  void open(MPI_Comm all);
  void close();
  [[nodiscard]] bool is_open() const { return all_.get() != MPI_COMM_NULL; }
  [[nodiscard]] MPI_Comm comm() const { return all_.get(); }
  // The ranks of a communicator whose ranks are all in MPI_COMM_WORLD. Local; throws Error.
  static WorldRanks ranks_of(MPI_Comm comm);

  // The ranks of an exchange agree on a tag that none of them has used: the highest of what each proposes. Then each
  // takes it. Throws Error (comm), on all ranks as they have the same, where it is beyond what MPI allows.
  [[nodiscard]] std::int64_t proposed_tag() const { return next_tag_; }
  int take(std::int64_t tag);

 private:
  OwnedComm all_;
  std::int64_t next_tag_ = 0;
  std::int64_t largest_tag_ = 0;  // that MPI allows
};

}  // namespace rondo::internal::call
