#pragma once

namespace rondo::internal {

// Whether the program has initialised MPI so that a plan may have a progress thread: with MPI_THREAD_MULTIPLE if that
// thread calls MPI; else, as where all messages go through shared memory, with MPI_THREAD_FUNNELED, since the process
// has several threads. Throws Error (hint) with the level that there is, and in a program with sessions only. Local.
void check_thread_level(bool thread_calls_mpi);

}  // namespace rondo::internal
