#pragma once

namespace rondo::internal::pmpi {

// Whether calls may be taken over: between MPI_Init and MPI_Finalize, unless RONDO_PMPI=off. A program that has only
// sessions has no MPI_COMM_WORLD, which Rondo needs.
bool world_is_up();

// Whether all ranks of MPI_COMM_WORLD run on one host, as they have found out in MPI_Init.
bool world_is_one_host();

// Whether the program has promised that this thread calls no MPI (MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED). Some
// libraries do it all the same, while the main thread is in another call: MPI libraries mostly get away with it.
bool is_stray_thread();

// A session begins. Where one has on any rank before MPI_Init, no calls are taken over on any: there may be threads
// that call on communicators of the session meanwhile, and which of these calls come after MPI_Init differs between
// ranks.
void note_session();

// What MPI_Init does after the MPI library's: finds faults in the settings, which end the program, on all ranks; and
// has end_world() called in MPI_Finalize, after the delete functions of the program's attributes of MPI_COMM_SELF.
void begin_world();
void end_world();

}  // namespace rondo::internal::pmpi
