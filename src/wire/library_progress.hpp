#pragma once

namespace rondo::internal {

// Makes ready what let_library_move() needs, once in the process. Local.
void open_library_progress();

// Lets the MPI library move what is under way in it, collectives too: MPI_Iprobe of MPICH moves messages only. For who
// waits outside of MPI. Does nothing before open_library_progress() or once MPI_Finalize has begun.
void let_library_move() noexcept;

}  // namespace rondo::internal
