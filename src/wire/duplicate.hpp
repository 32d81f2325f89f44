#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
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
  // Local: what this rank tells the others if they are all on its host, as it seems.
  [[nodiscard]] Introduction introduce_on_host(MPI_Comm user);
  // Collective, on the user's communicator, all ranks of which are on one host and have told this: sets up shared
  // memory. Throws on all ranks or on none.
  void meet_on_host(MPI_Comm user, std::span<const Introduction> told);
  // Collective, on MPI's duplicate where there is one, else on the user's communicator as above: finds the node map
  // first, and the ranks tell each other. Throws on all ranks or on none.
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
  void introduce(Introduction &own, MPI_Comm user);
  void keep_those_of_node();
  void set_up(MPI_Comm user, std::optional<Error> fault);
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

// That MPI allows. Local.
int largest_tag(MPI_Comm comm);

// Frees the communicators of all duplicates that there still are. Called in MPI_Finalize.
void close_duplicates();

}  // namespace rondo::internal
