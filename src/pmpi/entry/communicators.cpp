// The ends of communicators, in which callbacks of the program's may be called.

#include <mpi.h>

#include "pmpi/calls/communicator.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

using rondo::internal::pmpi::Blocked;
using rondo::internal::pmpi::Freeing;
using rondo::internal::pmpi::Next;

RONDO_API int MPI_Comm_free(MPI_Comm *comm) {
  static constinit const Next next{"MPI_Comm_free", PMPI_Comm_free};
  Freeing freeing(comm == nullptr ? MPI_COMM_NULL : *comm);
  return freeing.give(next(comm));
}

RONDO_API int MPI_Comm_disconnect(MPI_Comm *comm) {
  static constinit const Next next{"MPI_Comm_disconnect", PMPI_Comm_disconnect};
  Freeing freeing(comm == nullptr ? MPI_COMM_NULL : *comm);
  const Blocked blocked;
  return freeing.give(next(comm));
}
