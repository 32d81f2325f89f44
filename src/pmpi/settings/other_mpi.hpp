#pragma once

// Programs on another MPI than the one that this library was built for. Handles have other types there, so that nothing
// can be passed on; a program is begun anew without this library, before its main(). One that loads its MPI library
// later cannot be: that one ends, in MPI_Init.

namespace rondo::internal::pmpi {

// Called by MPI_Init, before the MPI library's.
void end_on_another_mpi();

}  // namespace rondo::internal::pmpi
