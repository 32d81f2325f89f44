/* Another tool that stands between a program and its MPI: it counts what comes through to it. */
#include <mpi.h>
#include <stdio.h>

static int calls = 0;

int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                  void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  ++calls;
  return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}

int MPI_Finalize(void) {
  fprintf(stderr, "other tool: %d native calls of MPI_Alltoallv\n", calls);
  return PMPI_Finalize();
}
