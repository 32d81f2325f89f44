#pragma once

// Isolation: Rondo's messages never meet the program's, nor those of another plan.
//
// User communicators with the same ranks share one duplicate, made for the first plan on them that sends messages of
// MPI's. It is cached as an attribute, and lives as long as a communicator or plan does that has it; that of a group of
// ranks which all know (wire/known_groups.hpp) until MPI ends. Each plan draws one tag from the duplicate at init;
// messages between two ranks in one plan match in order, so a tag per step is not needed. When the tags run out, a
// fresh duplicate takes its place. Plans share the duplicate's ownership, so a communicator may be freed before its
// plans.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "wire/agreement.hpp"
#include "wire/node.hpp"
#include "wire/owned_comm.hpp"
#include "wire/segment.hpp"

namespace rondo::internal {

// MPI's duplicate of a user communicator, and what its ranks know of each other; of an intercommunicator all ranks of
// both groups in one, first those of one group and then those of the other, each in its order. MPI's errors on it are
// returned. Ranks that share one node meet without MPI's duplicate, which takes as long as all the rest of a first
// init: it is made when a plan needs it. Communicators with the same ranks have one in common (wire/known_groups.hpp).
class Duplicate {
 public:
  // Local: takes all its memory before anything collective may need it. One made only to call MPI on it has no ranks
  // here, as it needs no node map and no shared memory; it is of the user's kind.
  explicit Duplicate(int ranks = 0);
  ~Duplicate();
  Duplicate(const Duplicate &) = delete;
  Duplicate &operator=(const Duplicate &) = delete;

  // Takes MPI's duplicate over; throws nothing.
  void own(OwnedComm comm, int second_group = 0);
  // Collective: finds the node map and sets up shared memory, on MPI's duplicate where there is one, else on the user's
  // communicator, all ranks of which are on one host. Throws on all ranks or on none.
  void meet(MPI_Comm user);
  // Collective, once all ranks have come: makes MPI's duplicate where there is none yet, of a communicator with its
  // ranks. Throws on all ranks or on none.
  void open_messages(MPI_Comm user);

  // Frees the communicator before MPI_Finalize when plans still hold it.
  void close();

  // MPI_COMM_NULL until a plan has needed it.
  [[nodiscard]] MPI_Comm comm() const { return comm_.get(); }
  // On which data is packed, which is local: always there.
  [[nodiscard]] MPI_Comm packing() const { return comm() != MPI_COMM_NULL ? comm() : MPI_COMM_SELF; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int ranks() const { return ranks_; }
  // As in Topology: the first rank of the second group of an intercommunicator, 0 where there is one group.
  [[nodiscard]] int second_group() const { return second_group_; }
  // What the layers above keep with it, each its own.
  enum class Kept : std::uint8_t { plans, call_links, calls };
  [[nodiscard]] std::shared_ptr<void> &kept(Kept what) { return kept_[static_cast<std::size_t>(what)]; }
  // How its ranks agree. Only of one that has met, as the next two.
  [[nodiscard]] Agreement &agreement() { return agreement_; }
  [[nodiscard]] const Node &node() const { return *node_; }
  [[nodiscard]] Segment &segment() const { return *segment_; }
  // Communicators of the user's that have it. Where none is left, most of the memory of freed plans is given back: what
  // remains is for the next of these ranks.
  void has_communicator() { ++communicators_; }
  void has_lost_communicator();
  // Of the communicators, that which an init is on; an agreement that is given up is for this one.
  void serve(const std::shared_ptr<MPI_Comm> &user) { serving_ = user; }
  [[nodiscard]] const MPI_Comm *serving() const { return serving_.get(); }
  // The next unused tag, the same on all ranks as inits are collective; -1 when there is none left.
  int draw_tag();

 private:
  void introduce_ranks(MPI_Comm all, const Introduction &own);
  void use_boards(std::byte *memory);
  MPI_Comm open_leaders();
  void know_ranks(MPI_Comm comm);

  OwnedComm comm_;
  int rank_ = 0;
  int ranks_ = 0;
  int second_group_ = 0;
  std::unique_ptr<Node> node_;
  std::unique_ptr<Segment> segment_;
  std::vector<Introduction> introductions_;  // until the ranks of the node have met
  OwnedComm leaders_;                        // of each node, where there are several and one has several ranks
  Agreement agreement_;
  std::array<std::shared_ptr<void>, 3> kept_;
  std::shared_ptr<MPI_Comm> serving_;
  int communicators_ = 0;
  bool closed_ = false;
  std::int64_t next_tag_ = 0;  // wider than a tag, which may be the largest int
  std::int64_t last_tag_ = 0;
};

// Lives as long as a plan does. MPI_Finalize says how many there still are.
class LivePlan {
 public:
  LivePlan();
  ~LivePlan();
  LivePlan(const LivePlan &) = delete;
  LivePlan &operator=(const LivePlan &) = delete;
};

// Has this called when MPI_Finalize begins, before anything of Rondo's is freed.
void at_finalize(void (*call)());
// Notices from now on when MPI_Finalize begins: in the delete functions of the attributes of MPI_COMM_SELF, which MPI
// calls in the reverse order in which the attributes have been set. So what the program has set later comes first, and
// can count on all that it has. Local.
void watch_for_finalize();

// That MPI allows. Local.
int largest_tag(MPI_Comm comm);

// What a plan holds: a duplicate and a tag of its own on it.
struct Channel {
  std::shared_ptr<Duplicate> duplicate;
  int tag = 0;
  std::shared_ptr<MPI_Comm> user{};  // the user's communicator; MPI_COMM_NULL once it has been freed

  [[nodiscard]] MPI_Comm comm() const { return duplicate->comm(); }
  // On which data is packed: always there.
  [[nodiscard]] MPI_Comm packing() const { return duplicate->packing(); }
  [[nodiscard]] int rank() const { return duplicate->rank(); }
  [[nodiscard]] int ranks() const { return duplicate->ranks(); }
  // As of the duplicate, in an init.
  void open_messages() const { duplicate->open_messages(*user); }
};

// A duplicate of a communicator. Collective; takes no memory of Rondo's. Throws Error (comm) where the MPI library has
// none left.
OwnedComm duplicate_of(MPI_Comm comm);

// What the channels have been drawn from on the user's communicator; null where none has. Local.
Duplicate *duplicate_of_channels(MPI_Comm user);

// Draws a channel on the user's communicator. Collective: throws on all ranks or on none. The first on a communicator
// waits for all ranks; a later one waits for nobody.
Channel open_channel(MPI_Comm user, Meanwhile meanwhile);

}  // namespace rondo::internal
