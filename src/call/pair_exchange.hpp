#pragma once

// How blocks of changing sizes go from rank to rank, without any plan that two ranks would have to agree on.
//
// A call of MPI_Alltoallv tells a rank its own counts only, and they may be others at each call. But the size of the
// block from s to d is known to both s and d, as MPI asks that they give the same, and nobody else needs it if blocks
// go directly. So each ordered pair has a way of its own:
//
//   - nothing, for an empty block;
//   - a link through memory that both share (varying/slot_link.hpp), where both are on one node and the block has less
//     than a certain number of bytes;
//   - a message of MPI, else: on a communicator of all ranks of MPI_COMM_WORLD where there is one for that
//     (call/world_messages.hpp), else on the duplicate of the communicator.
//
// Which it is follows from the kind of the call, the size of the block, and what both ends have found out together when
// the exchange was made, so they cannot disagree. The calls on a communicator come in the same order on all ranks, the
// blocks of a pair within a call too, and both ways keep order.
//
// The exchange is made at a call whose number is the same on all ranks, by all of them together. Its links are kept
// with the ranks: a further communicator of ranks that know each other (wire/known_groups.hpp) has them from its first
// call on, as these make their calls that wait in one order, whatever the communicator. Calls that do not wait have an
// order on each communicator alone, and several may be under way: a communicator has another exchange for them, with
// links of its own (call/started_calls.hpp).

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "call/started_calls.hpp"
#include "call/world_messages.hpp"
#include "exchange/error.hpp"
#include "varying/node_links.hpp"
#include "wire/bell.hpp"
#include "wire/channel.hpp"
#include "wire/neighbors.hpp"
#include "wire/patience.hpp"

namespace rondo::internal::call {

// What this rank's environment variables ask for. They may differ between ranks, or be wrong: then `fault` says how.
struct Wishes {
  bool messages_only = false;  // no links through memory
  int node_size = 0;           // of the nodes that are pretended; 0: none are
  std::optional<Error> fault{};
};

// What the ranks of an exchange agree on when they make it, besides their links: the highest of all ranks'.
struct AgreedByAll {
  std::int64_t repeated = 0;  // 1: a rank has a neighbour that is one more than once
  std::int64_t tag = 0;       // see WorldMessages
};

// The links of ranks that have met, for the calls on all their communicators.
class CallLinks {
 public:
  // Collective; throws Error on all ranks or on none. `fault` is what this rank has met with before.
  static std::shared_ptr<CallLinks> open(const Channel &channel, const Wishes &wishes, WorldRanks world_ranks,
                                         std::optional<Error> fault, AgreedByAll &all);

  // Whether some pair of ranks exchanges messages because the two do not share a node. The same on all ranks.
  [[nodiscard]] bool leaves_nodes() const { return leaves_nodes_; }
  // Whether an all-gather straight from each to each is faster than the MPI library's, which has steps of more and more
  // data. The same on all ranks.
  [[nodiscard]] bool gathers() const { return gathers_; }
  // Whether there are no more ranks than cores on which they may run. The same on all ranks.
  [[nodiscard]] bool have_cores() const { return have_cores_; }
  // The link by which a block of so many bytes goes to that rank, or comes from it. Null for a message of MPI. Both
  // ranks have the same answer.
  [[nodiscard]] SlotLink *link(int peer, std::int64_t bytes) const {
    return bytes < least_by_message_ ? links_.to[peer].get() : nullptr;
  }
  // Whether all messages of a call go by links whose longest has so many bytes. Each rank's own answer.
  [[nodiscard]] bool carry_all(std::int64_t longest) const { return join_all() && longest < least_by_message_; }
  // Whether there are links between all ranks. The same on all of them.
  [[nodiscard]] bool join_all() const { return links_.memory && !leaves_nodes_; }
  // Those that they were opened with.
  [[nodiscard]] const Wishes &wishes() const { return wishes_; }
  [[nodiscard]] const WorldRanks &world_ranks() const { return world_ranks_; }
  [[nodiscard]] Patience patience() const { return patience_; }
  // Sleeps until another rank of the node has written or taken something, or 50 microseconds are over.
  void sleep();

  // The next call that waits begins. The blocks of a call have its number, so that what is left of one in which some
  // ranks have failed is nothing to a later one.
  void count_call() { ++call_; }
  // What is sent and received from now on belongs to that call, of several that are under way.
  void turn_to(std::uint64_t call) { call_ = call; }
  // This rank has failed in the call before it has sent anything: tells the others, which may wait for it, by an empty
  // message, as there is none for an empty block.
  void tell_failure();

  // Ends their use, on all ranks sooner or later: a later call would receive what has been sent for this one.
  void break_off();
  // Whether this rank has.
  [[nodiscard]] bool broken() const { return broken_; }

 private:
  Wishes wishes_{};
  WorldRanks world_ranks_{};
  std::uint64_t call_ = 0;
  NodeLinks links_;
  std::int64_t least_by_message_ = 0;  // of a block inside a node
  bool leaves_nodes_ = false;
  bool gathers_ = false;
  bool have_cores_ = false;
  Patience patience_;
  Bell alone_;
  std::atomic<bool> broken_{false};
};

class PairExchange {
 public:
  // Whether ranks that know each other have links. The same on all of them, in calls that wait. Local.
  static bool has_links(Duplicate &known);

  // What a rank comes with: `fault` is what it has met with before.
  struct Brought {
    bool repeated = false;  // it has a neighbour that is one more than once
    std::optional<Error> fault{};
  };
  // Collective; both throw Error on all ranks or on none. Of ranks that have no links, and of a further communicator of
  // ranks that have.
  static std::shared_ptr<PairExchange> open(MPI_Comm user, const Wishes &wishes, Brought brought);
  static std::shared_ptr<PairExchange> join(const std::shared_ptr<Duplicate> &known, Brought brought);
  // Likewise: another one between the ranks of this one, for calls that do not wait.
  [[nodiscard]] std::shared_ptr<PairExchange> open_for_started() const;

  [[nodiscard]] int rank() const { return channel_.rank(); }
  [[nodiscard]] int ranks() const { return channel_.ranks(); }
  // Of its messages: a communicator, a tag of it that is this exchange's, and a rank there.
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int tag() const { return tag_; }
  [[nodiscard]] int address(int peer) const {
    return addresses_ ? (*addresses_)[static_cast<std::size_t>(peer)] : peer;
  }
  [[nodiscard]] int peer_at(int address) const;
  // Of an intercommunicator, both groups of which are one here: whom the entries are for. Else null.
  [[nodiscard]] const Neighbors *opposite() const { return opposite_ ? &*opposite_ : nullptr; }
  [[nodiscard]] Duplicate &duplicate() const { return *channel_.duplicate; }
  [[nodiscard]] CallLinks &links() const { return *links_; }
  // Whether some rank has a neighbour that is one more than once. The same on all ranks.
  [[nodiscard]] bool repeated_neighbors() const { return repeated_neighbors_; }
  // Null but where it is for calls that do not wait.
  [[nodiscard]] StartedCalls *started_calls() const { return started_calls_.get(); }

  // Ends the use of this exchange after a call of this rank has failed, since a later call would receive what other
  // ranks have sent for the failed one. From then on check_usable() throws Error (internal).
  void break_off();
  // The same, where all that went by links has gone: the ranks' other communicators go on.
  void break_off_messages() { broken_ = true; }
  // Unless one of the two has been called.
  void break_off_unless_done() {
    if (!broken_) break_off();
  }
  void check_usable(bool by_links) const {
    if (broken_ || (by_links && links_->broken())) [[unlikely]]
      throw_broken();
  }

 private:
  [[noreturn]] static void throw_broken();
  void go_by(std::shared_ptr<CallLinks> links, const AgreedByAll &all);
  static std::shared_ptr<PairExchange> made_on(const Channel &channel, const Wishes &first, Brought &&brought);

  Channel channel_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  WorldRanks addresses_{};
  std::optional<Neighbors> opposite_{};
  std::shared_ptr<CallLinks> links_;
  bool repeated_neighbors_ = false;
  std::atomic<bool> broken_{false};
  std::unique_ptr<StartedCalls> started_calls_;
};

}  // namespace rondo::internal::call
