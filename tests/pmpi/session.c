/* A program that has sessions only, and no MPI_COMM_WORLD. */
#include <mpi.h>
#include <stdio.h>

enum { most_ranks = 8 };

int main(void) {
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  int rank, ranks, wrong = 0, out[most_ranks], in[most_ranks];
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "rondo", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < ranks; ++i) out[i] = 100 * round + 10 * rank + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    for (int i = 0; i < ranks; ++i) wrong += in[i] != 100 * round + 10 * i + rank;
  }
  int total = 0;
  MPI_Reduce(&wrong, &total, 1, MPI_INT, MPI_SUM, 0, comm);
  if (rank == 0) printf("session: %d wrong\n", total);
  MPI_Comm_free(&comm);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
  return 0;
}
