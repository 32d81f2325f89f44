// The ends of communicators, in which callbacks of the program's may be called; and their making where it does not wait
// (pmpi/pass/pass_through.cpp has the calls that do).

#include <mpi.h>

#include "pmpi/calls/ending.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

using rondo::internal::pmpi::Blocked;
using rondo::internal::pmpi::Freeing;
using rondo::internal::pmpi::Next;
using rondo::internal::pmpi::note_made;

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

RONDO_API int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  static constinit const Next next{"MPI_Comm_idup", PMPI_Comm_idup};
  const int code = next(comm, newcomm, request);
  note_made(code, newcomm);
  return code;
}

#if MPI_VERSION >= 4
RONDO_API int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request) {
  static constinit const Next next{"MPI_Comm_idup_with_info", PMPI_Comm_idup_with_info};
  const int code = next(comm, info, newcomm, request);
  note_made(code, newcomm);
  return code;
}
#endif
