#pragma once

// Communicators that are at their end, in calls of whatever thread that are still under way. Delete functions of the
// program's may call on them once more, or have another thread do so. Such calls are left to the MPI library: what was
// kept for the communicator may have been deleted already, and nothing that was kept anew would be.

#include <mpi.h>

#include <memory>

namespace rondo::internal::pmpi {

struct Ending {
  MPI_Comm comm = MPI_COMM_NULL;
  // Of one that has ended in a call that did not free it: the call's depth, and its thread's calls_beneath.
  int depth = 0;
  const int *thread = nullptr;
  Ending *before = nullptr;
};

// Whether the communicator is being freed, or has ended in a call that is under way. Local.
bool is_ending(MPI_Comm comm);
// Whether the call that is under way in this thread frees it. Local.
bool is_freed_here(MPI_Comm comm);

// It has ended in the call of this thread's that is under way, and is ending until that call is over.
void keep_end(MPI_Comm comm, std::unique_ptr<Ending> ending);

// After each call that makes a communicator, with the call's code: its handle may be that of one whose end is not over
// yet, in a call of another thread's or, in a delete function, of this one's. Local, and takes no memory.
void note_made(int code, const MPI_Comm *made);

// For as long as it lives, a communicator is being freed: it is ending, and what is kept for it serves no more calls,
// not even those that come when what was under way on it is over. A callback may free another communicator, whose
// callbacks may call on the first.
class Freeing {
 public:
  explicit Freeing(MPI_Comm comm);
  ~Freeing();
  // What the call that frees it gives. With an error the communicator stays.
  int give(int code);
  Freeing(const Freeing &) = delete;
  Freeing &operator=(const Freeing &) = delete;

 private:
  Ending ending_;
  const Ending *around_;  // of a call of this thread's in which this one has come
};

}  // namespace rondo::internal::pmpi
