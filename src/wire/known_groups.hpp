#pragma once

// The groups of ranks that have met: communicators with the same ranks in the same order share what these know of each
// other, their memory, and MPI's duplicate. So a program that makes communicators again and again for the same ranks
// pays for the first only.
//
// All ranks of a group know it, or none does: they agree on that when they meet, and what is known stays so until MPI
// ends. What they do together (an init, the first on a communicator) they do in one order, whatever the communicator,
// as MPI asks of collective calls that wait. Where threads may call MPI at once, there is an order for each
// communicator only: each is for itself, and may leave what it has to a later one (wire/duplicate_pool.hpp). With
// RONDO_KNOWN_RANKS=0 in the environment of the ranks each is for itself; it counts when a group would be added, and in
// an init.

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace rondo::internal {

class Duplicate;

class OwnedGroup {
 public:
  OwnedGroup() = default;
  // Both throw Error (mpi). The ranks of the communicator, of an intercommunicator those on this side of it; and those
  // on the other.
  explicit OwnedGroup(MPI_Comm comm);
  static OwnedGroup remote_of(MPI_Comm inter);
  OwnedGroup(OwnedGroup &&other) noexcept;
  OwnedGroup &operator=(OwnedGroup &&other) noexcept;
  ~OwnedGroup() { free(); }

  void free();
  [[nodiscard]] MPI_Group get() const { return group_; }

 private:
  MPI_Group group_ = MPI_GROUP_NULL;
};

// Whether all of a group are of this MPI_COMM_WORLD. Takes no memory.
bool within_world(MPI_Group group);

// Whether they have the same members in the same order.
bool are_identical(MPI_Group one, MPI_Group other);

// Of its members and their order, in MPI_COMM_WORLD. Takes no memory.
std::int64_t fingerprint_of(MPI_Group group);

class KnownGroups {
 public:
  static KnownGroups &of_process();

  // Whether ranks may get to know each other in this process at all.
  static bool possible();
  // By the environment.
  static bool switched_off();

  // What the ranks of the communicator have, in its order; null where they are not known, or an agreement of theirs has
  // been given up. The same on all of them. Local.
  [[nodiscard]] std::shared_ptr<Duplicate> find(MPI_Comm user) const;
  // How many there are.
  [[nodiscard]] std::size_t count() const { return count_; }
  // Whether this rank can take a further one. Another process's ranks are not taken: MPI_Comm_disconnect would wait for
  // what is kept here.
  [[nodiscard]] bool can_add(const OwnedGroup &group) const;
  // All ranks of the group can, and do so together. Takes no memory.
  void add(OwnedGroup group, std::shared_ptr<Duplicate> duplicate);
  // MPI is about to end.
  void forget_all();

 private:
  struct Known {
    OwnedGroup group{};
    std::shared_ptr<Duplicate> duplicate{};
  };

  static constexpr std::size_t most = 16;
  std::array<Known, most> known_{};
  std::size_t count_ = 0;
};

}  // namespace rondo::internal
