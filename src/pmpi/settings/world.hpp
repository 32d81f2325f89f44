#pragma once

namespace rondo::internal::pmpi {

// Whether calls may be taken over: between MPI_Init and MPI_Finalize, unless RONDO_PMPI=off. A program that has only
// sessions has no MPI_COMM_WORLD, which Rondo needs.
bool world_is_up();

// What MPI_Init does after the MPI library's: finds faults in the settings, which end the program, on all ranks.
void begin_world();

// What MPI_Finalize does before the MPI library's.
void end_world();

}  // namespace rondo::internal::pmpi
