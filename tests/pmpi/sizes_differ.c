/* A rank expects another length than the other sends: an error on that rank, nothing is written beyond what is
 * expected, and the next call has its own data. */
#include <mpi.h>
#include <string.h>

#include "printed.h"

enum { room = 400000, guard = 7 };

static char out[room], in[room];

static void call(int rank, int sent, int expected) {
  const int to_1[2] = {0, sent}, from_0[2] = {expected, 0}, none[2] = {0, 0}, at[2] = {0, 0};
  int error_class = MPI_SUCCESS, written = 0;
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 2; ++i) MPI_Alltoallv(out, none, at, MPI_CHAR, in, none, at, MPI_CHAR, comm);
  memset(out, 1, sizeof(out));
  memset(in, guard, sizeof(in));
  const int code =
      MPI_Alltoallv(out, rank == 0 ? to_1 : none, at, MPI_CHAR, in, rank == 0 ? none : from_0, at, MPI_CHAR, comm);
  MPI_Error_class(code, &error_class);
  for (int i = expected; i < room; ++i) written += in[i] != guard;
  print("%d bytes for %d: %s, %d written beyond\n", sent, expected,
        error_class == MPI_SUCCESS        ? "no error"
        : error_class == MPI_ERR_TRUNCATE ? "truncated"
                                          : "another error",
        written);
  const int next = MPI_Alltoallv(out, none, at, MPI_CHAR, in, none, at, MPI_CHAR, comm);
  print("  and then: %s\n", next == MPI_SUCCESS ? "no error" : "an error");
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  call(rank, 16, 8);
  call(rank, 8, 16);
  call(rank, 30000, 8);
  call(rank, 8, 30000);
  call(rank, 300000, 100); /* more than fits into what lies between the ranks */
  print_all();
  MPI_Finalize();
  return 0;
}
