#pragma once

// The program's threads that are in a call of the MPI library's which may last until other ranks have done something.
//
// MPI asks that what a rank has started goes on in all of its MPI calls: another rank may complete an exchange with it
// before it comes to the call that this one is in. The MPI library does not know our exchanges. So when such a call
// has lasted for a millisecond while any of them runs, a thread of ours drives them until it returns. Without
// MPI_THREAD_MULTIPLE it drives those that need no MPI call.

#include "pmpi/running.hpp"

namespace rondo::pmpi {

// Lives as long as the call does. Costs a load where nothing runs.
class Blocked {
 public:
  Blocked() : counted_(any_running()) {
    if (counted_) enter();
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
