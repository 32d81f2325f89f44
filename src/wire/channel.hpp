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

#include <memory>

#include "wire/duplicate.hpp"
#include "wire/meanwhile.hpp"

namespace rondo::internal {

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

// What the channels have been drawn from on the user's communicator; null where none has. Local.
Duplicate *duplicate_of_channels(MPI_Comm user);

// Draws a channel on the user's communicator. Collective: throws on all ranks or on none. The first on a communicator
// waits for all ranks; a later one waits for nobody.
Channel open_channel(MPI_Comm user, Meanwhile meanwhile);

}  // namespace rondo::internal
