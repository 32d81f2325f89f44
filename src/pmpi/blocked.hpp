#pragma once

// The program's threads that are in a call of the MPI library's which may last until other ranks have done something.
//
// MPI asks that what a rank has started goes on in all of its MPI calls: another rank may complete an exchange with it
// before it comes to the call that this one is in. The MPI library does not know our exchanges. So such a call drives
// what runs before it begins, which is all that a loop over short ones needs. When it has lasted for a millisecond, a
// thread of ours drives until it returns; without MPI_THREAD_MULTIPLE only what needs no MPI call.

#include "pmpi/running.hpp"

namespace rondo::pmpi {

// Lives as long as the call does. Costs a load where nothing runs.
class Blocked {
 public:
  Blocked() : counted_(any_running()) {
    if (!counted_) return;
    drive_all();
    enter();
  }
  ~Blocked() {
    if (counted_) leave();
  }
  Blocked(const Blocked &) = delete;
  Blocked &operator=(const Blocked &) = delete;

 private:
  static void enter();
  static void leave();

  const bool counted_;
};

// Ends the thread, if there is one. Called by MPI_Finalize.
void end_helper();

}  // namespace rondo::pmpi
