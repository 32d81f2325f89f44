#pragma once

namespace rondo::internal {

// Throws Error (comm) when the MPI library that this process runs on is not the one that Rondo was built on, whose
// handles have other types. Says on standard error, once and on one process, when another MPI's launcher has started
// several, each of which is a job of one rank. Local.
void check_one_mpi();

}  // namespace rondo::internal
