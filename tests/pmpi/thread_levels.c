/* Ranks ask for different levels of thread support, as they may: rank 0 for none, the others for all. Then two
 * communicators of the same ranks are used by turns. Prints how many values were wrong. */

#include <stdio.h>
#include <stdlib.h>

#include "checked_alltoall.h"

/* Before MPI_Init only the launcher's environment tells. */
static int is_first(void) {
  const char *of_mpich = getenv("PMI_RANK");
  const char *of_open_mpi = getenv("OMPI_COMM_WORLD_RANK");
  const char *number = of_mpich != NULL ? of_mpich : of_open_mpi;
  return number != NULL && atoi(number) == 0;
}

int main(int argc, char **argv) {
  int provided, rank, wrong = 0, all_wrong = 0;
  MPI_Comm other;
  MPI_Init_thread(&argc, &argv, is_first() ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  for (int i = 0; i < 10; ++i) wrong += wrong_in_alltoall(MPI_COMM_WORLD, i) + wrong_in_alltoall(other, i);
  MPI_Reduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong\n", all_wrong);
  MPI_Comm_free(&other);
  MPI_Finalize();
  return wrong != 0;
}
