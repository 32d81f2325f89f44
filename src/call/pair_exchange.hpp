#pragma once

// How blocks of changing sizes go from rank to rank, without any plan that two ranks would have to agree on.
//
// A call of MPI_Alltoallv tells a rank its own counts only, and they may be others at each call. But the size of the
// block from s to d is known to both s and d, as MPI asks that they give the same, and nobody else needs it if blocks
// go directly. So each ordered pair has a way of its own:
//
//   - nothing, for an empty block;
//   - the ring of the pair, a stream of bytes in shared memory, in calls that wait, where both are on one node and the
//     block has at most a certain number of bytes;
//   - a message of MPI on the duplicate of the communicator, else.
//
// Which it is follows from the kind of the call, the size of the block, and what both ends have found out together when
// the exchange was made, so they cannot disagree. Neither stream nor messages carry sizes or numbers: the calls on a
// communicator come in the same order on all ranks, the blocks of a pair within a call too, and both ways keep order.
//
// The exchange is made at a call whose number is the same on all ranks, by all of them together.

#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "call/ring.hpp"
#include "exchange/error.hpp"
#include "wire/bell.hpp"
#include "wire/channel.hpp"
#include "wire/patience.hpp"

namespace rondo::internal::call {

// A block on its way through a ring. `unfinished` is the number of such blocks of the same call.
struct RingBlock {
  int peer;
  std::byte *data;
  std::uint64_t left;
  std::atomic<int> *unfinished;
  RingBlock *next = nullptr;
};

class PairExchange {
 public:
  // Local: takes its memory before anything collective may need it.
  explicit PairExchange(int ranks) : links_(ranks) { linked_.reserve(links_.size()); }

  // What this rank's environment variables ask for. They may differ between ranks, or be wrong: then `fault` says how.
  struct Wishes {
    bool messages_only = false;  // no rings
    int node_size = 0;           // of the nodes that are pretended; 0: none are
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
  [[nodiscard]] bool by_ring(int peer, std::int64_t bytes) const { return bytes <= most_by_ring_ && links_[peer].out; }

  // The functions from here on are called with the mutex held: several threads may drive the operations.
  [[nodiscard]] std::mutex &mutex() { return mutex_; }
  void send(RingBlock &block);
  void receive(RingBlock &block);
  // Moves what can be moved.
  void progress();
  // Ends the use of this exchange after a call of this rank has failed, since a later call would receive what other
  // ranks have sent for the failed one. From then on check_usable() throws Error (internal).
  void break_off() { broken_ = true; }
  void check_usable() const;

  // Takes the blocks of a failed operation from the queues.
  void forget(const std::atomic<int> *unfinished);

  [[nodiscard]] Patience patience() const { return patience_; }
  // Sleeps until another rank of the node has written or taken something, or 50 microseconds are over. Called without
  // the mutex.
  void sleep();

 private:
  // The blocks that wait for a ring, in order.
  struct Queue {
    RingBlock *first = nullptr;
    RingBlock *last = nullptr;

    void push(RingBlock &block);
    void pop();
    void forget(const std::atomic<int> *unfinished);
  };
  struct Link {
    RingWriter out;
    RingReader in;
    Bell *bell = nullptr;  // the other's
    Queue sends;
    Queue receives;
  };

  void open_rings(bool wanted, int pretended_node);
  bool write(Link &link, RingBlock &block) const;
  bool read(Link &link, RingBlock &block) const;

  Channel channel_;
  std::vector<Link> links_;  // by rank
  std::vector<int> linked_;  // the ranks with a ring
  Lease memory_;
  Bell *bell_ = nullptr;  // of this rank
  Bell alone_;
  std::int64_t most_by_ring_ = 0;
  bool leaves_nodes_ = false;
  Patience patience_;
  std::atomic<bool> broken_{false};
  std::mutex mutex_;
};

}  // namespace rondo::internal::call
