/* A program on another MPI than that of the interposer, with a word on its command line. */
#include <mpi.h>
#include <stdio.h>

enum { most_ranks = 8 };

int main(int argc, char **argv) {
  int rank, ranks, wrong = 0, total = 0, out[most_ranks], in[most_ranks];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < ranks; ++i) out[i] = 100 * round + 10 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; ++i) wrong += in[i] != 100 * round + 10 * i + rank;
  }
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d ranks, %d wrong, argument %s\n", ranks, total, argv[argc - 1]);
  MPI_Finalize();
  return 0;
}
