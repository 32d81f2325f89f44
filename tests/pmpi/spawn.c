/* Dynamic processes: two ranks start two more, and all four exchange, as one communicator and as two groups. */
#include <mpi.h>
#include <stdio.h>

enum { most_ranks = 8 };

static int exchange(MPI_Comm comm) {
  int rank, ranks, wrong = 0, out[most_ranks], in[most_ranks];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < ranks; ++i) out[i] = 100 * round + 10 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int i = 0; i < ranks; ++i) wrong += in[i] != 100 * round + 10 * i + rank;
  }
  return wrong;
}

int main(int argc, char **argv) {
  MPI_Comm parent, others, all;
  int rank = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  const int child = parent != MPI_COMM_NULL;
  if (child) {
    others = parent;
  } else {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
  }
  MPI_Intercomm_merge(others, child, &all);
  int wrong = exchange(MPI_COMM_WORLD) + exchange(all);
  MPI_Comm_rank(all, &rank);
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, all);
  if (rank == 0) printf("spawned: %d wrong\n", total);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&others);
  MPI_Finalize();
  return 0;
}
