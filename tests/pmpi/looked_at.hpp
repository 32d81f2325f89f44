#pragma once

#include <mpi.h>

// Whether the MPI library holds a persistent message for inactive when MPI_Request_get_status has found it complete:
// MPICH 4.2.1 does, in its calls that test or wait for any or some. Between this rank and itself. Local.
inline int library_forgets_what_was_looked_at() {
  int sent = 1;
  int received = 0;
  int done = 0;
  int index = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Recv_init(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
  MPI_Start(&request);
  MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  while (!done) MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  MPI_Testany(1, &request, &index, &done, MPI_STATUS_IGNORE);
  const int forgotten = index == MPI_UNDEFINED;
  if (forgotten) MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
  return forgotten;
}
