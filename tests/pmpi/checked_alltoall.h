/* A call whose blocks tell by whom and for whom they are, and on a salt of the test's. */
#ifndef RONDO_TESTS_PMPI_CHECKED_ALLTOALL_H
#define RONDO_TESTS_PMPI_CHECKED_ALLTOALL_H

#include <mpi.h>

/* How many values that one MPI_Alltoall has brought are wrong, on a communicator of at most 16 ranks. */
static int wrong_in_alltoall(MPI_Comm comm, int salt) {
  int rank, ranks, wrong = 0;
  int sent[16], received[16];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int i = 0; i < ranks; ++i) {
    sent[i] = 100 * rank + i + salt;
    received[i] = -1;
  }
  MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
  for (int i = 0; i < ranks; ++i) wrong += received[i] != 100 * i + rank + salt;
  return wrong;
}

#endif
