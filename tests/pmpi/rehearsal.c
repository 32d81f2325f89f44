/* An allocation of rank 1's fails in the call that is made in MPI_Init before the program's first: the calls that
 * follow are right, and no rank waits for another for ever. Arguments: how many allocations succeed after a
 * communicator has been split off, and the number of that communicator. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { memory = 1, most_ranks = 8 };

/* Before MPI_Init only the launcher's variables tell. */
static int rank_of_launcher(void) {
  const char *const rank = getenv("PMI_RANK") != NULL ? getenv("PMI_RANK") : getenv("OMPI_COMM_WORLD_RANK");
  return rank == NULL ? -1 : atoi(rank);
}

int main(int argc, char **argv) {
  long (*fail)(int, long) = NULL;
  void (*fail_at_split)(int, long, long) = NULL;
  long (*count_splits)(void) = NULL;
  int rank = 0, ranks = 0, wrong = 0;
  *(void **)&fail = dlsym(RTLD_DEFAULT, "rondo_test_fail");
  *(void **)&fail_at_split = dlsym(RTLD_DEFAULT, "rondo_test_fail_at_split");
  *(void **)&count_splits = dlsym(RTLD_DEFAULT, "rondo_test_splits");
  if (argc < 3 || fail == NULL || fail_at_split == NULL || count_splits == NULL || rank_of_launcher() < 0) return 1;
  if (rank_of_launcher() == 1) fail_at_split(memory, atol(argv[1]), atol(argv[2]));
  MPI_Init(&argc, &argv);
  const long splits = count_splits(), failed = fail(0, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int call = 0; call < 3; ++call) {
    int out[most_ranks], in[most_ranks];
    for (int i = 0; i < ranks; ++i) out[i] = 100 * call + 10 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; ++i) wrong += in[i] != 100 * call + 10 * i + rank;
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 1) printf("splits: %ld, failed: %ld, wrong: %d\n", splits, failed, wrong);
  MPI_Finalize();
  return 0;
}
