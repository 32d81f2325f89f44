#pragma once

// How blocks of changing sizes go from rank to rank, without any plan that two ranks would have to agree on.
//
// A call of MPI_Alltoallv tells a rank its own counts only, and they may be others at each call. But the size of the
// block from s to d is known to both s and d, as MPI asks that they give the same, and nobody else needs it if blocks
// go directly. So each ordered pair has a way of its own:
//
//   - nothing, for an empty block;
//   - a link through memory that both share (varying/slot_link.hpp), in calls that wait, where both are on one node and
//     the block has less than a certain number of bytes;
//   - a message of MPI on the duplicate of the communicator, else.
//
// Which it is follows from the kind of the call, the size of the block, and what both ends have found out together when
// the exchange was made, so they cannot disagree. No numbers travel with blocks: the calls on a communicator come in
// the same order on all ranks, the blocks of a pair within a call too, and both ways keep order.
//
// The exchange is made at a call whose number is the same on all ranks, by all of them together.

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "exchange/error.hpp"
#include "varying/node_links.hpp"
#include "wire/bell.hpp"
#include "wire/channel.hpp"
#include "wire/patience.hpp"

namespace rondo::internal::call {

class PairExchange {
 public:
  // What this rank's environment variables ask for. They may differ between ranks, or be wrong: then `fault` says how.
  struct Wishes {
    bool messages_only = false;  // no links through memory
    int node_size = 0;           // of the nodes that are pretended; 0: none are
    bool repeated = false;       // this rank has a neighbour that is one more than once
    std::optional<Error> fault{};
  };
  // Collective; throws Error on all ranks or on none.
  void open(MPI_Comm user, const Wishes &wishes);

  [[nodiscard]] int rank() const { return channel_.rank(); }
  [[nodiscard]] int ranks() const { return channel_.ranks(); }
  [[nodiscard]] MPI_Comm comm() const { return channel_.comm(); }
  [[nodiscard]] int tag() const { return channel_.tag; }
  // Whether some pair of ranks exchanges messages because the two do not share a node. The same on all ranks.
  [[nodiscard]] bool leaves_nodes() const { return leaves_nodes_; }
  // Whether some rank has a neighbour that is one more than once. The same on all ranks.
  [[nodiscard]] bool repeated_neighbors() const { return repeated_neighbors_; }

  // The link by which a block of so many bytes goes to that rank, or comes from it, in calls that wait, of which a
  // communicator has one at a time. Null for a message of MPI. Both ranks have the same answer.
  [[nodiscard]] SlotLink *link(int peer, std::int64_t bytes) const {
    return bytes < least_by_message_ ? links_.to[peer].get() : nullptr;
  }

  // Ends the use of this exchange after a call of this rank has failed, since a later call would receive what other
  // ranks have sent for the failed one. From then on check_usable() throws Error (internal).
  void break_off();
  void check_usable() const;

  [[nodiscard]] Patience patience() const { return patience_; }
  // Sleeps until another rank of the node has written or taken something, or 50 microseconds are over.
  void sleep();

 private:
  Channel channel_;
  NodeLinks links_;
  std::int64_t least_by_message_ = 0;  // of a block inside a node
  bool leaves_nodes_ = false;
  bool repeated_neighbors_ = false;
  Patience patience_;
  Bell alone_;
  std::atomic<bool> broken_{false};
};

}  // namespace rondo::internal::call
